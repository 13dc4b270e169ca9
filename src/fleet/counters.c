#include "fleet/counters.h"

#include <string.h>

#include "facts/column.h"
#include "facts/select.h"

extern const char data_compared_counters[];

/* The distances need an order of their own; SQLite sorts, and we take the one in the middle. */
static const char far_sql[] =
	"WITH v AS MATERIALIZED (SELECT * FROM temp.counted_device),"
	" sorted AS (SELECT class, name, value, row_number() OVER w AS place, count(*) OVER"
	"   (PARTITION BY class, name) AS n FROM v WINDOW w AS (PARTITION BY class, name ORDER BY value)),"
	" mid AS MATERIALIZED (SELECT class, name, n, avg(value) AS median FROM sorted"
	"   WHERE place IN ((n + 1) / 2, (n + 2) / 2) GROUP BY class, name),"
	" away AS (SELECT v.class AS class, v.name AS name, abs(v.value - m.median) AS distance,"
	"   row_number() OVER (PARTITION BY v.class, v.name ORDER BY abs(v.value - m.median)) AS place, m.n AS n"
	"   FROM v JOIN mid m ON m.class = v.class AND m.name = v.name),"
	" spread AS MATERIALIZED (SELECT class, name, 1.4826 * avg(distance) AS deviation FROM away"
	"   WHERE place IN ((n + 1) / 2, (n + 2) / 2) GROUP BY class, name)"
	" SELECT v.class, v.name, v.node, v.device, v.value, m.median, s.deviation, m.n"
	" FROM v JOIN mid m ON m.class = v.class AND m.name = v.name"
	" JOIN spread s ON s.class = v.class AND s.name = v.name"
	" JOIN temp.counter_limit l ON v.name = l.name OR v.name GLOB l.name || ',*'"
	" WHERE m.n >= ?1 AND v.value - m.median >= l.least"
	" AND v.value - m.median >= l.deviations * s.deviation"
	" ORDER BY 1, 2, 5 DESC, 3, 4";

static struct counter_outlier outlier_of(sqlite3_stmt *stmt, struct arena *a)
{
	return (struct counter_outlier){
		.class = (size_t)sqlite3_column_int64(stmt, 0),
		.name = column_copy(stmt, 1, a),
		.node = column_copy(stmt, 2, a),
		.device = column_copy(stmt, 3, a),
		.value = sqlite3_column_double(stmt, 4),
		.median = sqlite3_column_double(stmt, 5),
		.deviation = sqlite3_column_double(stmt, 6),
		.devices = (size_t)sqlite3_column_int64(stmt, 7),
	};
}

bool counters_far(sqlite3 *db, struct arena *a, struct counter_outlier **ret, size_t *ret_count)
{
	struct counter_outlier *list = NULL;
	sqlite3_stmt *stmt;
	size_t count = 0;

	if (!select_exec(db, data_compared_counters))
		return false;
	stmt = select_from(db, far_sql);
	if (stmt)
		sqlite3_bind_int(stmt, 1, COUNTERS_LEAST);
	while (stmt && select_next(stmt)) {
		list = arena_grow(a, list, count, sizeof(*list));
		list[count++] = outlier_of(stmt, a);
	}
	sqlite3_finalize(stmt);
	*ret = list;
	*ret_count = count;
	return !select_error();
}
