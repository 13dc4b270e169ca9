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

/* Anew each time; nothing where no framework was found. */
void materialize_views(sqlite3 *db);
