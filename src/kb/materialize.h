#pragma once

/*
 * materialize - views that many statements read, worked out once
 *
 * environment_fit and what it stands on join libraries, loads and devices; two
 * dozen statements ask for them, and each would join anew. A temporary table
 * of the same name comes before the view, and a statement cannot tell. What a
 * statement reads was taken down at build time from the views, so that gaps
 * count as before.
 */

#include <sqlite3.h>
#include <stdbool.h>

/* Without one all of these views but `device` have no rows. */
bool materialize_has_frameworks(sqlite3 *db);

/* Anew each time; nothing where no framework was found, unless the tables are kept. */
void materialize_views(sqlite3 *db);

/*
 * The tables, empty: from then on they are filled and not made. A new table has
 * SQLite prepare every statement anew, which for one log of many is most of the work.
 */
void materialize_keep(sqlite3 *db);
