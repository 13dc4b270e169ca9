#pragma once

/*
 * verdict - what a walk of probes says as a whole, as an exit status
 */

#include <sqlite3.h>

/* -1 if the tables hold no walk. */
int verdict_exit_status(sqlite3 *db);
