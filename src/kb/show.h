#pragma once

/*
 * show - the attached knowledge in words
 *
 * Only renders; what is shown is what `check` uses. The connection has the
 * knowledge as schema "kb".
 */

#include <sqlite3.h>

#include "base/buf.h"

/* One line each: slug, severity, title. width 0: no limit. */
void show_list(sqlite3 *db, struct buf *ret, size_t width);
void show_list_json(sqlite3 *db, struct buf *ret); /* an array of the same */

/*
 * A cause, remedy, signature, defect or family of causes by its name; all of a cause is also
 * how it is weighed. 0, or -ENOENT.
 */
int show_one(sqlite3 *db, const char *name, bool all, struct buf *ret);
