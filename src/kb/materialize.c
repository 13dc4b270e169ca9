#include "kb/materialize.h"

#include <stdio.h>

#include "base/array.h"
#include "facts/column.h"
#include "facts/select.h"
#include "kb/view-columns.h"

#define SQL_MAX 96 /* of a statement with the name of a view */

/* Without rows of the table a view has none. */
static const struct {
	const char *name, *of;
} views[] = {
	{ "device", "agent" },
	{ "library_fit", "library" },
	{ "blas_fit", "kernel_dir" },
	{ "environment_fit", "environment" },
};

static bool has_rows(sqlite3 *db, const char *table)
{
	char sql[SQL_MAX];
	sqlite3_stmt *stmt;
	bool any;

	snprintf(sql, sizeof(sql), "SELECT 1 FROM main.%s LIMIT 1", table);
	stmt = select_kept(db, sql);
	any = select_next(stmt);
	select_done(stmt);
	return any;
}

bool materialize_has_frameworks(sqlite3 *db)
{
	return has_rows(db, "framework");
}

/* A view that fails here fails again in the statement that reads it, and is said there. */
static void make(sqlite3 *db, const char *view, const char *rows)
{
	char *sql = sqlite3_mprintf("CREATE TEMP TABLE %s AS SELECT * FROM main.%s %s", view, view,
				    rows);

	sqlite3_exec(db, sql, NULL, NULL, NULL);
	sqlite3_free(sql);
}

static void make_empty(sqlite3 *db, const char *view)
{
	sqlite3_stmt *stmt = select_from(db, "SELECT sql FROM main.sqlite_schema WHERE name = ?1");
	struct buf sql BUF_SCOPED = { 0 };

	if (stmt)
		sqlite3_bind_text(stmt, 1, view, -1, SQLITE_STATIC);
	if (select_next(stmt)) {
		buf_addf(&sql, "CREATE TEMP TABLE %s", view);
		view_columns(&sql, column_span(stmt, 0));
	}
	sqlite3_finalize(stmt);
	select_exec(db, sql.data ? sql.data : "");
}

static void fill(sqlite3 *db, const char *view, bool any)
{
	char sql[SQL_MAX];

	snprintf(sql, sizeof(sql), "DELETE FROM temp.%s", view);
	select_run(db, sql);
	snprintf(sql, sizeof(sql), "INSERT INTO temp.%s SELECT * FROM main.%s", view, view);
	if (any)
		select_run(db, sql);
}

void materialize_keep(sqlite3 *db)
{
	for (size_t i = 0; i < COUNT(views); i++)
		make(db, views[i].name, "WHERE 0");
}

void materialize_views(sqlite3 *db)
{
	bool any = materialize_has_frameworks(db);

	for (size_t i = 0; i < COUNT(views); i++)
		if (select_has(db, "temp", views[i].name))
			fill(db, views[i].name, has_rows(db, views[i].of));
		else if (any && has_rows(db, views[i].of))
			make(db, views[i].name, "");
		else if (any)
			make_empty(db, views[i].name);
}
