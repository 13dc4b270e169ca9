#include "explain/defects.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"

/*
 * In one statement: for each defect how many of its conditions are met, broken
 * and open, and how many of its signatures were seen. A version is compared by
 * version_cmp(); of several statements of a name one that fits is enough.
 */
static const char sql[] =
	"WITH c AS ("
	" SELECT w.defect, w.name,"
	"  max(CASE WHEN s.value IS NULL THEN NULL"
	"   WHEN w.words IS NOT NULL THEN word_fits(w.words, s.value)"
	"   WHEN s.version IS NULL THEN NULL"
	"   ELSE (w.low IS NULL OR version_cmp(s.version, w.low) >= 0)"
	"    AND (w.high IS NULL OR version_cmp(s.version, w.high) < 0) END) AS met,"
	"  max(s.source) AS source"
	" FROM kb.defect_when w LEFT JOIN main.statement s ON s.name = w.name"
	" GROUP BY w.defect, w.name),"
	"k AS (SELECT defect, sum(met = 0) AS broken,"
	"  sum(met = 1 AND name <> 'framework') AS met,"
	"  sum(met IS NULL) AS open,"
	"  max(CASE WHEN met THEN source END) AS source FROM c GROUP BY defect),"
	"g AS (SELECT d.defect, count(*) AS asked, sum(e.signature IS NOT NULL) AS seen,"
	"  min(e.source) AS source FROM kb.defect_signature d"
	"  LEFT JOIN main.event e ON e.signature = d.signature AND e.nth = 0 GROUP BY d.defect) "
	"SELECT d.id, d.cause, d.title, d.cure, d.weight, coalesce(g.asked, 0), coalesce(g.seen, 0),"
	" coalesce(k.met, 0), coalesce(k.open, 0), coalesce(g.source, k.source, d.source)"
	" FROM kb.defect d LEFT JOIN k ON k.defect = d.id LEFT JOIN g ON g.defect = d.id"
	" WHERE coalesce(k.broken, 0) = 0"
	"  AND (coalesce(g.seen, 0) > 0 OR (g.asked IS NULL AND coalesce(k.open, 0) = 0))"
	" ORDER BY d.id";

/*
 * All it asks for: its weight. A condition that nobody spoke of takes its
 * share, so that a line which many failures print names no release by itself;
 * a line of the defect's own speaks through its signature anyway. The name of
 * the program can only rule out: whoever prints its lines is that program.
 */
static int weight_of(int weight, int met, int open)
{
	int asked = met + open;

	return asked == 0 ? weight : weight * met / asked;
}

/* A cure is for one release and one GPU: half of those a defect asks for must be known. */
static bool is_cure_due(int met, int open)
{
	return met >= open;
}

static const char *text_at(sqlite3_stmt *stmt, int column, struct arena *a)
{
	const char *text = (const char *)sqlite3_column_text(stmt, column);

	return arena_text(a, span_of(text ? text : ""));
}

static int by_weight(const void *a, const void *b)
{
	const struct defect_fit *x = a;
	const struct defect_fit *y = b;

	return x->weight != y->weight ? y->weight - x->weight : strcmp(x->id, y->id);
}

#define FITS_MAX 64

int defects_find(sqlite3 *db, struct arena *arena, struct defect_fit **ret, size_t *ret_count)
{
	struct defect_fit *list = arena_alloc(arena, sizeof(*list) * FITS_MAX);
	sqlite3_stmt *stmt = NULL;
	size_t n = 0;
	int r;

	if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) != SQLITE_OK)
		return -EIO;
	while ((r = sqlite3_step(stmt)) == SQLITE_ROW && n < FITS_MAX) {
		int met = sqlite3_column_int(stmt, 7), open = sqlite3_column_int(stmt, 8);

		list[n++] = (struct defect_fit){
			.id = text_at(stmt, 0, arena),
			.cause = text_at(stmt, 1, arena),
			.title = text_at(stmt, 2, arena),
			.cure = is_cure_due(met, open) ? text_at(stmt, 3, arena) : NULL,
			.weight = weight_of(sqlite3_column_int(stmt, 4), met, open),
			.source = text_at(stmt, 9, arena),
		};
	}
	sqlite3_finalize(stmt);
	if (r == SQLITE_ERROR)
		return -EIO;
	if (n > 1)
		qsort(list, n, sizeof(*list), by_weight);
	*ret = list;
	*ret_count = n;
	return 0;
}
