#include "explain/defects.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "facts/column.h"
#include "facts/select.h"

extern const char explain_defects[]; /* defects.sql */

/*
 * All it asks for: its weight. A condition that nobody spoke of takes more than its
 * share, the square of it, so that a line which many failures print names no release by
 * itself: of such guesses in fresh reports two in seven were right. A line of the
 * defect's own speaks through its signature anyway. The name of
 * the program can only rule out: whoever prints its lines is that program.
 *
 * A condition that only this machine shows counts for nothing beside such a line,
 * though it can rule the defect out: what is installed here is the same for
 * every failure on the machine.
 *
 * Of several GPUs that were named one may fit and another not ("gfx1100, gfx1036"):
 * nobody said which of them failed, so that condition counts half.
 *
 * A defect of which more is open than met fits every failure of that release or GPU: stating
 * one of them must not lift its cause above another.
 */
static int weight_of(int weight, int met, int open, int only_shown, int one_of_gpus)
{
	int asked = met + open, halves = 2 * met - one_of_gpus;

	if (met < open)
		return 0;
	return asked == 0 ? weight
			  : weight * (halves - 2 * only_shown) * halves / (4 * asked * asked);
}

/* A cure is for one release and one GPU: more than half of what a defect asks for must be known. */
static bool is_cure_due(int met, int open)
{
	return open == 0 || met > open;
}

/* The first line of a cure is its sentence; those below it are steps, or there are none. */
static void split_cure(struct defect_fit *d)
{
	char *end = d->cure ? strchr(d->cure, '\n') : NULL;

	if (!end)
		return;
	*end = '\0';
	if (end[1])
		d->how = end + 1;
}

static int by_weight(const void *a, const void *b)
{
	const struct defect_fit *x = a;
	const struct defect_fit *y = b;

	return x->weight != y->weight ? y->weight - x->weight : strcmp(x->id, y->id);
}

bool defects_any_bare(sqlite3 *db)
{
	return select_count(db,
			    "SELECT EXISTS (SELECT 1 FROM kb.defect d WHERE NOT EXISTS"
			    " (SELECT 1 FROM kb.defect_signature s WHERE s.defect = d.id))") > 0;
}

/* Whether f has rows: without them the statement has none, and it is the longest of all. */
static bool any_is_judged(sqlite3 *db, bool any_bare)
{
	return any_bare ||
	       select_count(db, "SELECT EXISTS (SELECT 1 FROM kb.defect_signature"
				" WHERE signature IN (SELECT signature FROM main.event))") > 0;
}

int defects_find(sqlite3 *db, bool any_bare, struct arena *arena, struct defect_fit **ret,
		 size_t *ret_count)
{
	struct defect_fit *list = NULL;
	sqlite3_stmt *stmt = any_is_judged(db, any_bare) ? select_kept(db, explain_defects) : NULL;
	size_t n = 0;

	if (stmt)
		sqlite3_bind_int(stmt, 1, any_bare);
	while (select_next(stmt)) {
		int met = sqlite3_column_int(stmt, 7), open = sqlite3_column_int(stmt, 8);
		int weight = weight_of(sqlite3_column_int(stmt, 4), met, open,
				       sqlite3_column_int(stmt, 10), sqlite3_column_int(stmt, 16));

		if (weight == 0) /* nothing of it is known but a line that many failures print */
			continue;
		list = arena_grow(arena, list, n, sizeof(*list));
		list[n++] = (struct defect_fit){
			.id = column_copy(stmt, 0, arena),
			.cause = column_copy(stmt, 1, arena),
			.title = column_copy(stmt, 2, arena),
			.cure = is_cure_due(met, open) ? column_copy(stmt, 3, arena) : NULL,
			.kinds = column_copy(stmt, 13, arena),
			.unsaid = column_copy(stmt, 14, arena),
			.beyond = column_copy(stmt, 17, arena),
			.is_unproven = sqlite3_column_int(stmt, 18) > 0 ||
				       sqlite3_column_type(stmt, 19) != SQLITE_NULL,
			.unchecked = column_copy_or_null(stmt, 19, arena),
			.gpu = column_copy(stmt, 15, arena),
			.weight = weight,
			.source = column_copy(stmt, 9, arena),
			.fixed_in = column_copy_or_null(stmt, 11, arena),
			.reference = column_copy(stmt, 12, arena),
		};
		split_cure(&list[n - 1]);
	}
	select_done(stmt);
	if (select_error())
		return -EIO;
	if (n > 1)
		qsort(list, n, sizeof(*list), by_weight);
	*ret = list;
	*ret_count = n;
	return 0;
}
