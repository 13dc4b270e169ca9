#pragma once

/*
 * fit - may the facts of this machine be joined to that log?
 *
 * A log may come from anywhere. What it tells of its machine must not
 * contradict what is seen here; one contradiction leaves the machine out, and
 * is said.
 */

#include <sqlite3.h>

#include "base/buf.h"

/* True if nothing speaks against it; otherwise `ret_why` has the sentence, about what is `called` so. */
bool fit_machine(sqlite3 *log, sqlite3 *machine, const char *called, struct buf *ret_why);
