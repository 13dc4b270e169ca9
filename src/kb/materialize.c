#include "kb/materialize.h"

#include <stdbool.h>
#include <stddef.h>

#include "facts/select.h"

static const char *const views[] = { "device", "library_fit", "blas_fit", "environment_fit" };

static bool has_frameworks(sqlite3 *db)
{
	sqlite3_stmt *stmt = select_from(db, "SELECT 1 FROM main.framework LIMIT 1");
	bool any;

	any = select_next(stmt);
	sqlite3_finalize(stmt);
	return any;
}

/* A view that fails here fails again in the statement that reads it, and is said there. */
void materialize_views(sqlite3 *db)
{
	bool any = has_frameworks(db);

	for (size_t i = 0; i < sizeof(views) / sizeof(views[0]); i++) {
		char *sql = sqlite3_mprintf("DROP TABLE IF EXISTS temp.%s;"
					    "%s CREATE TEMP TABLE %s AS SELECT * FROM main.%s",
					    views[i], any ? "" : "--", views[i], views[i]);

		sqlite3_exec(db, sql, NULL, NULL, NULL);
		sqlite3_free(sql);
	}
}
