#pragma once

/*
 * counts - how much is known, and on what it rests
 *
 * For `rocsteady-kb lint`: every kind of knowledge counted, the classes of its sources,
 * and how much of it has none, which must be nothing.
 */

#include <sqlite3.h>

#include "base/buf.h"

/* Some lines of "name number"; the number of things without a source. */
size_t counts_text(sqlite3 *db, struct buf *ret);
