#include "base/arena.h"
#include "facts/column.h"
#include "facts/select.h"
#include "kb/adversary.h"
#include "kb/lint.h"
#include "scan/pattern-steps.h"

/*
 * A scan of twenty megabytes in a second leaves fifty nanoseconds a byte, and a
 * step takes about one. What is more than a few steps a byte must not become
 * more in a line of twice the length.
 */
#define TEXT       ((size_t)1024)
#define STEPS_MOST 64 /* a byte */
#define STEPS_FEW  12
#define GROWTH     1.3

struct judged {
	const struct adversary *adversary;
	struct pattern_steps *steps;
	const char *id, *file;
	unsigned int line;
	struct faults *faults;
};

static double steps_a_byte(const struct judged *j, size_t which, size_t size, struct buf *text)
{
	adversary_text(j->adversary, which, size, text);
	return (double)pattern_steps_count(j->steps, buf_get(text), 4 * STEPS_MOST * size) /
	       (double)size;
}

/* The first text that shows it; a second one would say the same. */
static void try_texts(const struct judged *j)
{
	struct buf text BUF_SCOPED = { 0 };

	for (size_t i = 0; i < adversary_count(j->adversary); i++) {
		double once = steps_a_byte(j, i, TEXT, &text);
		double twice = once > STEPS_FEW ? steps_a_byte(j, i, 2 * TEXT, &text) : once;

		if (once <= STEPS_MOST && twice <= GROWTH * once)
			continue;
		faults_add(j->faults, j->file, j->line,
			   "the pattern of %s takes %.0f steps a byte, and %.0f in a line of twice "
			   "the length: \"%.40s...\"",
			   j->id, once, twice, text.data);
		return;
	}
}

static size_t load_literals(sqlite3 *db, const char *id, struct arena *a, struct span **ret)
{
	sqlite3_stmt *stmt = select_from(
		db, "SELECT text FROM kb.literal WHERE signature = ?1 ORDER BY position");
	size_t count = 0;

	*ret = NULL;
	if (stmt)
		sqlite3_bind_text(stmt, 1, id, -1, SQLITE_STATIC);
	while (select_next(stmt)) {
		*ret = arena_grow(a, *ret, count, sizeof(**ret));
		(*ret)[count++] = span_of(column_copy(stmt, 0, a));
	}
	sqlite3_finalize(stmt);
	return count;
}

static void try_pattern(sqlite3 *db, sqlite3_stmt *row, struct arena *a, struct faults *faults)
{
	struct span *literals;
	struct adversary adversary = { .pattern = column_text(row, 1) };
	struct judged j = { .adversary = &adversary,
			    .steps = pattern_steps_new(adversary.pattern),
			    .id = column_text(row, 0),
			    .file = column_text(row, 2),
			    .line = (unsigned int)sqlite3_column_int(row, 3),
			    .faults = faults };

	adversary.literal_count = load_literals(db, j.id, a, &literals);
	adversary.literals = literals;
	if (!j.steps)
		faults_add(faults, j.file, j.line,
			   "the pattern of %s is too large to count its steps", j.id);
	else if (adversary.literal_count > 0)
		try_texts(&j);
	pattern_steps_free(j.steps);
}

void lint_patterns(sqlite3 *db, struct faults *faults)
{
	sqlite3_stmt *stmt = select_from(
		db,
		"SELECT id, pattern, file, line FROM kb.signature WHERE pattern IS NOT NULL"
		" UNION ALL SELECT id, below, file, line FROM kb.signature WHERE below IS NOT NULL");
	struct arena arena = { 0 };

	while (select_next(stmt))
		try_pattern(db, stmt, &arena, faults);
	sqlite3_finalize(stmt);
	arena_done(&arena);
}
