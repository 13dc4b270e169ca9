#include "kb/materialize.h"

#include <stdio.h>

#include "base/array.h"
#include "facts/select.h"

#define SQL_MAX 96 /* of a statement with the name of a view */

static const char *const views[] = { "device", "library_fit", "blas_fit", "environment_fit" };

bool materialize_has_frameworks(sqlite3 *db)
{
	sqlite3_stmt *stmt = select_kept(db, "SELECT 1 FROM main.framework LIMIT 1");
	bool any = select_next(stmt);

	select_done(stmt);
	return any;
}

/* A view that fails here fails again in the statement that reads it, and is said there. */
static void make(sqlite3 *db, const char *view, const char *rows)
{
	char *sql = sqlite3_mprintf("CREATE TEMP TABLE %s AS SELECT * FROM main.%s %s", view, view,
				    rows);

	sqlite3_exec(db, sql, NULL, NULL, NULL);
	sqlite3_free(sql);
}

static void fill(sqlite3 *db, const char *view)
{
	char sql[SQL_MAX];

	snprintf(sql, sizeof(sql), "DELETE FROM temp.%s", view);
	select_run(db, sql);
	snprintf(sql, sizeof(sql), "INSERT INTO temp.%s SELECT * FROM main.%s", view, view);
	select_run(db, sql);
}

void materialize_keep(sqlite3 *db)
{
	for (size_t i = 0; i < COUNT(views); i++)
		make(db, views[i], "WHERE 0");
}

void materialize_views(sqlite3 *db)
{
	bool any = materialize_has_frameworks(db);

	for (size_t i = 0; i < COUNT(views); i++)
		if (select_has(db, "temp", views[i]))
			fill(db, views[i]);
		else if (any)
			make(db, views[i], "");
}
