#include "facts/sql-trace.h"

#include <stdio.h>
#include <string.h>

#include "base/debug.h"

/* Statements that have begun to give rows; one runs within another, seldom in a third. */
#define RUNNING_MAX 16

static struct running {
	const sqlite3_stmt *stmt;
	unsigned long long rows;
} running[RUNNING_MAX];

static struct running *find(const sqlite3_stmt *stmt)
{
	for (size_t i = 0; i < RUNNING_MAX; i++)
		if (running[i].stmt == stmt)
			return &running[i];
	return NULL;
}

static void count_row(const sqlite3_stmt *stmt)
{
	struct running *r = find(stmt);

	if (!r)
		r = find(NULL);
	if (!r)
		return;
	r->stmt = stmt;
	r->rows++;
}

const char *sql_line(const char *sql, char ret[static SQL_LINE_MAX])
{
	struct span rest = span_of(sql), word;
	size_t n = 0;

	while (span_word(&rest, &word)) {
		const char *space = n ? " " : "";

		if (n + strlen(space) + word.len + sizeof(" ...") > SQL_LINE_MAX) {
			snprintf(ret + n, SQL_LINE_MAX - n, "%s...", space);
			return ret;
		}
		if (n)
			ret[n++] = ' ';
		memcpy(ret + n, word.data, word.len);
		n += word.len;
	}
	ret[n] = '\0';
	return ret;
}

/* SQLite's own time: the callers' work between two rows is not in it. */
static void tell_statement(sqlite3_stmt *stmt, sqlite3_uint64 ns)
{
	struct running *r = find(stmt);
	char line[SQL_LINE_MAX];

	debug_line(DEBUG_SQL, debug_now() - ns, "ran, %llu rows: %s", r ? r->rows : 0,
		   sql_line(sqlite3_sql(stmt), line));
	if (r)
		*r = (struct running){ 0 };
}

static int traced(unsigned int event, void *ctx, void *stmt, void *more)
{
	(void)ctx;
	if (event == SQLITE_TRACE_ROW)
		count_row(stmt);
	else
		tell_statement(stmt, *(sqlite3_uint64 *)more);
	return 0;
}

void sql_trace(sqlite3 *db)
{
	if (DEBUG_ON(DEBUG_SQL))
		sqlite3_trace_v2(db, SQLITE_TRACE_ROW | SQLITE_TRACE_PROFILE, traced, NULL);
}
