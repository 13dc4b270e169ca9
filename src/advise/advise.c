#include "advise/advise.h"

#include <errno.h>
#include <string.h>

#include "base/buf.h"
#include "diagnose/fill.h"
#include "kb/guard.h"
#include "kb/lint.h"

#define LINE_MAX_BYTES 2000
#define WAYS_MAX       64
#define MARK           "the wish"

struct rule {
	const char *id;
	const char *kind;
	const char *sql;
};

static const char *text_at(sqlite3_stmt *stmt, int column, struct arena *a)
{
	struct span bytes = { (const char *)sqlite3_column_text(stmt, column),
			      (size_t)sqlite3_column_bytes(stmt, column) };

	return bytes.data ? fill_clean(a, bytes, LINE_MAX_BYTES, false) : NULL;
}

/* ---- the wish, as statements that rules can read ---- */

static int state(sqlite3 *db, const char *name, const char *value)
{
	sqlite3_stmt *stmt = NULL;
	int r = sqlite3_prepare_v2(db,
				   "INSERT INTO statement (name, value, source, origin)"
				   " VALUES (?1, ?2, '" MARK "', 'stated')",
				   -1, &stmt, NULL);

	if (r != SQLITE_OK)
		return -EIO;
	sqlite3_bind_text(stmt, 1, name, -1, SQLITE_STATIC);
	sqlite3_bind_text(stmt, 2, value, -1, SQLITE_STATIC);
	sqlite3_step(stmt);
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

static size_t load(sqlite3 *db, struct arena *a, const struct advise_wish *wish, struct rule *ret)
{
	sqlite3_stmt *stmt = NULL;
	size_t count = 0;

	sqlite3_prepare_v2(
		db,
		"SELECT id, kind, sql FROM kb.advice WHERE application IN (?1, '*')"
		" AND instr(' ' || systems || ' ', ' ' || ?2 || ' ') > 0 ORDER BY rank, id",
		-1, &stmt, NULL);
	sqlite3_bind_text(stmt, 1, wish->application, -1, SQLITE_STATIC);
	sqlite3_bind_text(stmt, 2, wish->system, -1, SQLITE_STATIC);
	while (count < WAYS_MAX && sqlite3_step(stmt) == SQLITE_ROW) {
		const char *sql = (const char *)sqlite3_column_text(stmt, 2);
		struct rule rule = { text_at(stmt, 0, a), text_at(stmt, 1, a),
				     arena_text(a, span_of(sql)) };

		if (rule.id && rule.kind) /* the schema says NOT NULL */
			ret[count++] = rule;
	}
	sqlite3_finalize(stmt);
	return count;
}

static bool ask(struct guard *g, struct arena *a, const struct rule *rule, struct advise_way *ret)
{
	const char *why;
	sqlite3_stmt *stmt = guard_prepare_as(g, rule->sql, lint_advice_columns, &why);
	bool found = stmt && guard_step(g, stmt) > 0;

	if (found)
		*ret = (struct advise_way){
			.id = rule->id,
			.kind = rule->kind,
			.line = text_at(stmt, 0, a),
			.why = text_at(stmt, 1, a),
			.caveat = text_at(stmt, 2, a),
			.checked = text_at(stmt, 3, a),
			.class = text_at(stmt, 4, a),
			.source = text_at(stmt, 5, a),
		};
	sqlite3_finalize(stmt);
	return found;
}

/* What is said when there is none is dropped where there is one. */
static size_t ask_all(sqlite3 *db, struct arena *a, const struct rule *rules, size_t rule_count,
		      struct advise_way *ret)
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

/* Of the GPUs that KFD of old kernels does not know, what they want. */
static const char *find_kernel(sqlite3 *db, struct arena *a, const struct advise_part *part)
{
	struct buf out BUF_SCOPED = { 0 };
	sqlite3_stmt *stmt = NULL;

	sqlite3_prepare_v2(db,
			   "SELECT coalesce(advised, mainline) FROM kb.kernel_floor WHERE gfx = ?1",
			   -1, &stmt, NULL);
	for (size_t i = 0; stmt && i < part->gpu_count; i++) {
		sqlite3_bind_text(stmt, 1, part->gpus[i].gfx, -1, SQLITE_STATIC);
		if (sqlite3_step(stmt) == SQLITE_ROW)
			buf_addf(&out, "%s%s wants Linux %s or later", out.len ? "; " : "",
				 part->gpus[i].gfx, text_at(stmt, 0, a));
		sqlite3_reset(stmt);
	}
	sqlite3_finalize(stmt);
	if (out.len > 0)
		buf_text(&out, ", or AMD's amdgpu-dkms");
	return out.len > 0 ? arena_text(a, buf_get(&out)) : NULL;
}

bool advise_is_none(const struct advise_part *part)
{
	return strcmp(part->ways[0].kind, "none") == 0;
}

static int try(sqlite3 *db, struct advice *advice, const struct rule *rules, size_t rule_count,
	       const char *python, struct advise_part *part)
{
	struct advise_way ways[WAYS_MAX];
	struct arena *a = &advice->arena;
	int r = sqlite3_exec(db, "SAVEPOINT wish; DELETE FROM statement", NULL, NULL, NULL);

	if (r == SQLITE_OK)
		r = state_wish(db, &advice->wish, python, part->gpus, part->gpu_count);
	part->way_count = r == 0 ? ask_all(db, a, rules, rule_count, ways) : 0;
	part->ways = arena_alloc(a, sizeof(*part->ways) * (part->way_count + 1));
	memcpy(part->ways, ways, sizeof(*ways) * part->way_count);
	sqlite3_exec(db, "ROLLBACK TO wish; RELEASE wish", NULL, NULL, NULL);
	return part->way_count > 0 ? 0 : -EIO;
}

/* For this Python, else for any. */
static int fill_part(sqlite3 *db, struct advice *advice, const struct rule *rules, size_t count,
		     struct advise_part *part)
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
static int fill_parts(sqlite3 *db, struct advice *a, const struct rule *rules, size_t count)
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
	sqlite3_stmt *stmt = NULL;
	bool known;

	sqlite3_prepare_v2(db, "SELECT 1 FROM kb.advice WHERE application = ?1", -1, &stmt, NULL);
	sqlite3_bind_text(stmt, 1, application, -1, SQLITE_STATIC);
	known = strcmp(application, "*") != 0 && sqlite3_step(stmt) == SQLITE_ROW;
	sqlite3_finalize(stmt);
	return known;
}

static const char *keep(struct arena *a, const char *text)
{
	return text ? arena_text(a, span_of(text)) : NULL;
}

static void keep_wish(struct arena *a, struct advise_wish *wish)
{
	wish->application = keep(a, wish->application);
	wish->system = keep(a, wish->system);
	wish->python = keep(a, wish->python);
	for (size_t i = 0; i < wish->gpu_count; i++) {
		wish->gpus[i].gfx = keep(a, wish->gpus[i].gfx);
		wish->gpus[i].name = keep(a, wish->gpus[i].name);
	}
}

int advise(sqlite3 *db, const struct advise_wish *wish, struct advice *ret)
{
	struct rule rules[WAYS_MAX];
	size_t count;
	int r;

	if (!is_known(db, wish->application))
		return -ENOENT;
	*ret = (struct advice){ .wish = *wish };
	keep_wish(&ret->arena, &ret->wish);
	count = load(db, &ret->arena, wish, rules);
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
	sqlite3_stmt *stmt = NULL;

	sqlite3_prepare_v2(db,
			   "SELECT DISTINCT application FROM kb.advice WHERE application <> '*'"
			   " ORDER BY application <> 'torch', application",
			   -1, &stmt, NULL);
	while (sqlite3_step(stmt) == SQLITE_ROW)
		buf_addf(&out, "%s%s", out.len ? " " : "", text_at(stmt, 0, a));
	sqlite3_finalize(stmt);
	return arena_text(a, buf_get(&out));
}
