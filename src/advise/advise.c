#include "advise/advise.h"

#include <errno.h>
#include <string.h>

#include "base/buf.h"
#include "diagnose/fill.h"
#include "facts/column.h"
#include "facts/select.h"
#include "kb/guard.h"

#define LINE_MAX_BYTES 2000

static const char *clean_text(sqlite3_stmt *stmt, int column, struct arena *a)
{
	struct span bytes = column_span(stmt, column);

	return bytes.data ? fill_clean(a, bytes, LINE_MAX_BYTES, false) : NULL;
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

/* The same sentence for two GPUs is printed once. */
static const char *find_memory(sqlite3 *db, struct arena *a, const struct advise_part *part,
			       const char *system)
{
	sqlite3_stmt *stmt =
		select_from(db, "SELECT note FROM kb.gpu_memory WHERE gfx = ?1 AND os = ?2");
	const char *note = NULL;

	for (size_t i = 0; stmt && !note && i < part->gpu_count; i++) {
		sqlite3_bind_text(stmt, 1, part->gpus[i].gfx, -1, SQLITE_STATIC);
		sqlite3_bind_text(stmt, 2, system, -1, SQLITE_STATIC);
		if (select_next(stmt))
			note = clean_text(stmt, 0, a);
		sqlite3_reset(stmt);
	}
	sqlite3_finalize(stmt);
	return note;
}

bool advise_is_none(const struct advise_part *part)
{
	return strcmp(part->ways[0].kind, "none") == 0;
}

static int try(sqlite3 *db, struct advice *advice, const struct way_rule *rules, size_t rule_count,
	       const char *python, struct advise_part *part)
{
	struct arena *a = &advice->arena;
	const char **gfxs = arena_alloc(a, sizeof(*gfxs) * (part->gpu_count + 1));
	struct way_wish wish = { .application = advice->wish.application,
				 .system = advice->wish.system,
				 .python = python,
				 .gfxs = gfxs,
				 .gfx_count = part->gpu_count };
	size_t most = advice->wish.most > 0 ? advice->wish.most : rule_count;
	struct guard g;

	for (size_t i = 0; i < part->gpu_count; i++)
		gfxs[i] = part->gpus[i].gfx;
	part->ways = arena_alloc(a, sizeof(*part->ways) * (rule_count + 1));
	guard_on(&g, db);
	part->way_count = ways_ask(&g, a, &wish, rules, rule_count, part->ways, most);
	guard_off(&g);
	return part->way_count > 0 ? 0 : -EIO;
}

/* For this Python, else for any. */
static int fill_part(sqlite3 *db, struct advice *advice, const struct way_rule *rules, size_t count,
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
	part->memory = find_memory(db, &advice->arena, part, advice->wish.system);
	return r;
}

/* One line for all, or else each apart. */
static int fill_parts(sqlite3 *db, struct advice *a, const struct way_rule *rules, size_t count)
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
	struct way_rule *rules;
	size_t count;
	int r;

	if (!is_known(db, wish->application))
		return -ENOENT;
	*ret = (struct advice){ .wish = *wish };
	keep_wish(&ret->arena, &ret->wish);
	rules = ways_load(db, &ret->arena, wish->application, wish->system, &count);
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
