#include "explain/defects.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "facts/column.h"
#include "facts/select.h"

/*
 * In one statement: what is known in the words of statements, which is what was
 * said and beside it what is seen here; and for each defect how many of its
 * conditions are met, broken and open, and how many of its signatures were seen. A version is compared by
 * version_cmp(); of several that are known of a name one that fits is enough.
 *
 * A defect of a product (the condition `framework`) needs it named in the text
 * or seen here; or a line that tells of one cause and that no other defect asks
 * for: whoever prints that is the product. What is only seen here makes no
 * defect of a text that shows none. Defects none of whose lines was met are not
 * judged at all (f): there are hundreds, and a text is of one or two.
 */
static const char sql[] =
	"WITH f AS MATERIALIZED ("
	" SELECT defect FROM kb.defect_signature"
	"  WHERE signature IN (SELECT signature FROM main.event)"
	" UNION SELECT id FROM kb.defect WHERE id NOT IN (SELECT defect FROM kb.defect_signature)),"
	"known AS MATERIALIZED ("
	" SELECT name, value, version, source, origin FROM main.statement"
	" UNION ALL SELECT 'gfx', gfx, NULL, source, origin FROM main.agent"
	"  WHERE origin = 'observed' AND gfx IS NOT NULL"
	" UNION ALL SELECT 'kernel', kernel, kernel, source, origin FROM main.host"
	"  WHERE origin = 'observed' AND kernel IS NOT NULL"
	" UNION ALL SELECT 'rocm', version, version, source, origin FROM main.rocm_install"
	"  WHERE origin = 'observed'"
	" UNION ALL SELECT 'torch_rocm', hip, hip, source, origin FROM main.framework"
	"  WHERE origin = 'observed' AND name = 'torch' AND hip IS NOT NULL"
	" UNION ALL SELECT replace(name, '.', '_'), version, version, source, origin"
	"  FROM main.framework WHERE origin = 'observed' AND version IS NOT NULL"
	" UNION ALL SELECT 'mes', replace(version, '0x000000', '0x'), NULL, source, origin"
	"  FROM main.firmware WHERE origin = 'observed' AND name = 'mes'"
	" UNION ALL SELECT 'framework', p.name, NULL, p.source, p.origin FROM ("
	"  SELECT name, source, origin FROM main.framework WHERE origin = 'observed'"
	"  UNION ALL SELECT name, source, origin FROM main.statement"
	"  UNION ALL SELECT signature, source, origin FROM main.event WHERE nth = 0) p"
	"  WHERE NOT EXISTS (SELECT 1 FROM main.statement WHERE name = 'framework')),"
	"c AS ("
	" SELECT w.defect, w.name,"
	"  max(CASE WHEN s.value IS NULL THEN NULL"
	"   WHEN w.words IS NOT NULL THEN word_fits(w.words, s.value)"
	"   WHEN s.version IS NULL THEN NULL"
	"   ELSE (w.low IS NULL OR version_cmp(s.version, w.low) >= 0)"
	"    AND (w.high IS NULL OR version_cmp(s.version, w.high) < 0) END) AS met,"
	"  min(CASE WHEN w.name = 'gfx' AND s.origin <> 'observed'"
	"   THEN word_fits(w.words, s.value) END) AS all_gpus,"
	"  max(s.source) AS source, max(s.origin <> 'observed') AS said"
	" FROM f JOIN kb.defect_when w ON w.defect = f.defect LEFT JOIN known s ON s.name = w.name"
	" GROUP BY w.defect, w.name),"
	"k AS (SELECT defect, sum(met = 0 AND name <> 'framework') AS broken,"
	"  max(CASE WHEN name = 'framework' THEN coalesce(met, 0) = 0 END) AS foreign_product,"
	"  sum(met = 1 AND name <> 'framework') AS met,"
	"  sum(met IS NULL OR (met = 0 AND name = 'framework')) AS open,"
	"  group_concat(CASE WHEN met IS NULL AND name <> 'framework' THEN name END, ', ') AS unsaid,"
	"  sum(met = 1 AND NOT said AND name <> 'framework') AS shown,"
	"  sum(met = 1 AND coalesce(all_gpus, 1) = 0) AS one_of_gpus,"
	"  max(CASE WHEN met THEN source END) AS source FROM c GROUP BY defect),"
	"o AS (SELECT signature FROM kb.defect_signature WHERE signature IN (SELECT signature"
	"  FROM kb.suggests WHERE signature IN (SELECT signature FROM main.event)"
	"  GROUP BY signature HAVING count(*) = 1)"
	"  GROUP BY signature HAVING count(*) = 1),"
	"g AS (SELECT d.defect, count(*) AS asked, sum(e.signature IS NOT NULL) AS seen,"
	"  sum(e.signature IN (SELECT signature FROM o)) AS own,"
	"  min(e.source) AS source FROM f JOIN kb.defect_signature d ON d.defect = f.defect"
	"  LEFT JOIN main.event e ON e.signature = d.signature AND e.nth = 0 GROUP BY d.defect) "
	"SELECT d.id, d.cause, d.title, d.cure, d.weight, coalesce(g.asked, 0), coalesce(g.seen, 0),"
	" coalesce(k.met, 0), coalesce(k.open, 0), coalesce(g.source, k.source, d.source),"
	" CASE WHEN g.own > 0 THEN 0 ELSE coalesce(k.shown, 0) END, d.fixed_in, d.source,"
	" coalesce((SELECT group_concat(kind, ' ') FROM kb.cure WHERE owner = d.id), ''),"
	" coalesce(k.unsaid, ''),"
	" coalesce((SELECT max(s.value || ' (' || CASE WHEN s.origin = 'stated' THEN 'as you stated'"
	"  WHEN s.source GLOB 'input:[0-9]*' THEN 'line ' || substr(s.source, 7)"
	"  ELSE s.source END || ')') FROM kb.defect_when w"
	"  JOIN known s ON s.name = 'gfx' WHERE w.defect = d.id AND w.name = 'gfx'"
	"  AND word_fits(w.words, s.value)), ''),"
	" coalesce(k.one_of_gpus, 0)"
	" FROM f JOIN kb.defect d ON d.id = f.defect"
	" LEFT JOIN k ON k.defect = d.id LEFT JOIN g ON g.defect = d.id"
	" WHERE coalesce(k.broken, 0) = 0"
	"  AND (coalesce(k.foreign_product, 0) = 0 OR (coalesce(g.own, 0) > 0"
	"   AND NOT EXISTS (SELECT 1 FROM main.statement WHERE name = 'framework')))"
	"  AND (coalesce(g.seen, 0) > 0"
	"   OR (g.asked IS NULL AND coalesce(k.open, 0) = 0 AND coalesce(k.shown, 0) = 0))"
	" ORDER BY d.id";

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
 */
static int weight_of(int weight, int met, int open, int only_shown, int one_of_gpus)
{
	int asked = met + open, halves = 2 * met - one_of_gpus;

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

/* Whether f has rows: without them the statement has none, and it is the longest of all. */
static bool any_is_judged(sqlite3 *db)
{
	return select_count(db, "SELECT EXISTS (SELECT 1 FROM kb.defect_signature"
				" WHERE signature IN (SELECT signature FROM main.event))"
				" OR EXISTS (SELECT 1 FROM kb.defect"
				" WHERE id NOT IN (SELECT defect FROM kb.defect_signature))") > 0;
}

int defects_find(sqlite3 *db, struct arena *arena, struct defect_fit **ret, size_t *ret_count)
{
	struct defect_fit *list = NULL;
	sqlite3_stmt *stmt = any_is_judged(db) ? select_kept(db, sql) : NULL;
	size_t n = 0;

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
