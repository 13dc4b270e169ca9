#include "advise/advise.h"

#include <errno.h>
#include <string.h>

#include "base/buf.h"
#include "diagnose/fill.h"
#include "facts/column.h"
#include "facts/select.h"
#include "kb/guard.h"
#include "kb/lint.h"

#define LINE_MAX_BYTES 2000
#define MARK           "the wish"

struct advice_rule {
	const char *id;
	const char *kind;
	const char *sql;
};

static const char *clean_text(sqlite3_stmt *stmt, int column, struct arena *a)
{
	struct span bytes = column_span(stmt, column);

	return bytes.data ? fill_clean(a, bytes, LINE_MAX_BYTES, false) : NULL;
}

/* ---- the wish, as statements that rules can read ---- */

static int state(sqlite3 *db, const char *name, const char *value)
{
	sqlite3_stmt *stmt = select_from(db, "INSERT INTO statement (name, value, source, origin)"
					     " VALUES (?1, ?2, '" MARK "', 'stated')");

	if (!stmt)
		return -EIO;
	sqlite3_bind_text(stmt, 1, name, -1, SQLITE_STATIC);
	sqlite3_bind_text(stmt, 2, value, -1, SQLITE_STATIC);
	select_next(stmt);
	return sqlite3_finalize(stmt) == SQLITE_OK ? 0 : -EIO;
}

static int state_wish(sqlite3 *db, const struct advise_wish *wish, const char *python,
		      const struct advise_gpu *gpus, size_t count)
{
	int r = state(db, "framework", wish->application);

	if (r == 0)
		r = state(db, "system", wish->system);
	if (r == 0 && python)
		r = state(db, "python", python);
	for (size_t i = 0; r == 0 && i < count; i++)
		r = state(db, "gfx", gpus[i].gfx);
	return r;
}

/* ---- the ways ---- */

static struct advice_rule *load(sqlite3 *db, struct arena *a, const struct advise_wish *wish,
				size_t *ret_count)
{
	sqlite3_stmt *stmt = select_from(
		db, "SELECT id, kind, sql FROM kb.advice WHERE application IN (?1, '*')"
		    " AND instr(' ' || systems || ' ', ' ' || ?2 || ' ') > 0 ORDER BY rank, id");
	struct advice_rule *rules = NULL;
	size_t count = 0;

	sqlite3_bind_text(stmt, 1, wish->application, -1, SQLITE_STATIC);
	sqlite3_bind_text(stmt, 2, wish->system, -1, SQLITE_STATIC);
	while (select_next(stmt)) {
		struct advice_rule rule = { clean_text(stmt, 0, a), clean_text(stmt, 1, a),
					    column_copy(stmt, 2, a) };

		if (!rule.id || !rule.kind) /* the schema says NOT NULL */
			continue;
		rules = arena_grow(a, rules, count, sizeof(*rules));
		rules[count++] = rule;
	}
	sqlite3_finalize(stmt);
	*ret_count = count;
	return rules;
}

static bool ask(struct guard *g, struct arena *a, const struct advice_rule *rule,
		struct advise_way *ret)
{
	const char *why;
	sqlite3_stmt *stmt = guard_prepare_as(g, rule->sql, lint_advice_columns, &why);
	bool found = stmt && guard_step(g, stmt) > 0;

	if (found)
		*ret = (struct advise_way){
			.id = rule->id,
			.kind = rule->kind,
			.line = clean_text(stmt, 0, a),
			.why = clean_text(stmt, 1, a),
			.caveat = clean_text(stmt, 2, a),
			.checked = clean_text(stmt, 3, a),
			.class = clean_text(stmt, 4, a),
			.source = clean_text(stmt, 5, a),
		};
	sqlite3_finalize(stmt);
	return found;
}

/* What is said when there is none is dropped where there is one. */
static size_t ask_all(sqlite3 *db, struct arena *a, const struct advice_rule *rules,
		      size_t rule_count, struct advise_way *ret)
{
	size_t count = 0;
	struct guard g;

	guard_on(&g, db);
	for (size_t i = 0; i < rule_count; i++)
		if (strcmp(rules[i].kind, "none") != 0 || count == 0)
			count += ask(&g, a, &rules[i], &ret[count]);
	guard_off(&g);
	return count;
}

/* What a GPU wants, and what this machine has, if it is asked and has less. */
static void add_kernel(struct buf *out, sqlite3_stmt *stmt, const char *gfx, struct arena *a)
{
	const char *ubuntu = clean_text(stmt, 1, a), *oem = clean_text(stmt, 2, a);

	buf_addf(out, "%s%s wants Linux %s", out->len ? "; " : "", gfx, clean_text(stmt, 0, a));
	if (ubuntu)
		buf_addf(out, " (Ubuntu: %s%s%s)", ubuntu, oem ? ", OEM " : "", oem ? oem : "");
	buf_text(out, " or later, or AMD's amdgpu-dkms");
	if (clean_text(stmt, 3, a))
		buf_addf(out, "; this machine runs %s: update the kernel first",
			 clean_text(stmt, 3, a));
}

/* Of the GPUs that KFD of old kernels does not know, or not well. */
static const char *find_kernel(sqlite3 *db, struct arena *a, const struct advise_part *part)
{
	struct buf out BUF_SCOPED = { 0 };
	sqlite3_stmt *stmt = select_from(
		db, "SELECT coalesce(f.advised, f.mainline), f.advised_ubuntu, f.advised_oem,"
		    " (SELECT h.kernel FROM host h WHERE version_cmp(replace(h.kernel, '-', '.'),"
		    "  replace(CASE"
		    "  WHEN h.distribution = 'ubuntu' AND h.kernel LIKE '%-oem'"
		    "   THEN coalesce(f.advised_oem, f.advised, f.mainline)"
		    "  WHEN h.distribution = 'ubuntu'"
		    "   THEN coalesce(f.advised_ubuntu, f.advised, f.mainline)"
		    "  ELSE coalesce(f.advised, f.mainline) END, '-', '.')) < 0"
		    " AND NOT EXISTS (SELECT 1 FROM driver m WHERE m.packaging = 'dkms'))"
		    " FROM kb.kernel_floor f WHERE f.gfx = ?1");

	for (size_t i = 0; stmt && i < part->gpu_count; i++) {
		sqlite3_bind_text(stmt, 1, part->gpus[i].gfx, -1, SQLITE_STATIC);
		if (select_next(stmt))
			add_kernel(&out, stmt, part->gpus[i].gfx, a);
		sqlite3_reset(stmt);
	}
	sqlite3_finalize(stmt);
	return out.len > 0 ? arena_text(a, buf_get(&out)) : NULL;
}

bool advise_is_none(const struct advise_part *part)
{
	return strcmp(part->ways[0].kind, "none") == 0;
}

static int try(sqlite3 *db, struct advice *advice, const struct advice_rule *rules,
	       size_t rule_count, const char *python, struct advise_part *part)
{
	struct arena *a = &advice->arena;
	int r = select_exec(db, "SAVEPOINT wish; DELETE FROM statement") ? 0 : -EIO;

	if (r == 0)
		r = state_wish(db, &advice->wish, python, part->gpus, part->gpu_count);
	part->ways = arena_alloc(a, sizeof(*part->ways) * (rule_count + 1));
	part->way_count = r == 0 ? ask_all(db, a, rules, rule_count, part->ways) : 0;
	select_exec(db, "ROLLBACK TO wish; RELEASE wish");
	return part->way_count > 0 ? 0 : -EIO;
}

/* For this Python, else for any. */
static int fill_part(sqlite3 *db, struct advice *advice, const struct advice_rule *rules,
		     size_t count, struct advise_part *part)
{
	const char *python = advice->wish.python;
	int r = try(db, advice, rules, count, python, part);

	if (r == 0 && python && advise_is_none(part)) {
		struct advise_part none = *part;

		r = try(db, advice, rules, count, NULL, part);
		part->other_python = r == 0 && !advise_is_none(part);
		if (r == 0 && !part->other_python)
			*part = none;
	}
	if (strcmp(advice->wish.system, "linux") == 0)
		part->kernel = find_kernel(db, &advice->arena, part);
	return r;
}

/* One line for all, or else each apart. */
static int fill_parts(sqlite3 *db, struct advice *a, const struct advice_rule *rules, size_t count)
{
	size_t n = a->wish.gpu_count;
	int r;

	a->parts = arena_alloc(&a->arena, sizeof(*a->parts) * (n + 1));
	a->parts[0] = (struct advise_part){ .gpus = a->wish.gpus, .gpu_count = n };
	a->part_count = 1;
	r = fill_part(db, a, rules, count, &a->parts[0]);
	if (r < 0 || n == 1 || !advise_is_none(&a->parts[0]))
		return r;
	a->part_count = n;
	for (size_t i = 0; r == 0 && i < n; i++) {
		a->parts[i] = (struct advise_part){ .gpus = &a->wish.gpus[i], .gpu_count = 1 };
		r = fill_part(db, a, rules, count, &a->parts[i]);
	}
	return r;
}

static bool is_known(sqlite3 *db, const char *application)
{
	sqlite3_stmt *stmt = select_from(db, "SELECT 1 FROM kb.advice WHERE application = ?1");
	bool known;

	sqlite3_bind_text(stmt, 1, application, -1, SQLITE_STATIC);
	known = strcmp(application, "*") != 0 && select_next(stmt);
	sqlite3_finalize(stmt);
	return known;
}

static const char *keep(struct arena *a, const char *text)
{
	return text ? arena_text(a, span_of(text)) : NULL;
}

static void keep_wish(struct arena *a, struct advise_wish *wish)
{
	struct advise_gpu *gpus = arena_alloc(a, (wish->gpu_count + 1) * sizeof(*gpus));

	wish->application = keep(a, wish->application);
	wish->system = keep(a, wish->system);
	wish->python = keep(a, wish->python);
	for (size_t i = 0; i < wish->gpu_count; i++)
		gpus[i] = (struct advise_gpu){ keep(a, wish->gpus[i].gfx),
					       keep(a, wish->gpus[i].name) };
	wish->gpus = gpus;
}

int advise(sqlite3 *db, const struct advise_wish *wish, struct advice *ret)
{
	struct advice_rule *rules;
	size_t count;
	int r;

	if (!is_known(db, wish->application))
		return -ENOENT;
	*ret = (struct advice){ .wish = *wish };
	keep_wish(&ret->arena, &ret->wish);
	rules = load(db, &ret->arena, wish, &count);
	r = fill_parts(db, ret, rules, count);
	if (r < 0)
		advise_done(ret);
	return r;
}

void advise_done(struct advice *a)
{
	arena_done(&a->arena);
}

const char *advise_applications(sqlite3 *db, struct arena *a)
{
	struct buf out BUF_SCOPED = { 0 };
	sqlite3_stmt *stmt = select_from(
		db, "SELECT DISTINCT application FROM kb.advice WHERE application <> '*'"
		    " ORDER BY application <> 'torch', application");

	while (select_next(stmt))
		buf_addf(&out, "%s%s", out.len ? " " : "", clean_text(stmt, 0, a));
	sqlite3_finalize(stmt);
	return arena_text(a, buf_get(&out));
}
