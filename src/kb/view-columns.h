#pragma once

/*
 * view-columns - the columns of a view of ours, by its text
 *
 * SQLite names them only after it has parsed the whole view, which takes longer than most
 * statements that read it. schema.sql and derived-views.sql say of each column what it is, on a
 * line of its own: "f.gfx || ' runs' AS why, -- one sentence". So an empty table in the place of a
 * view needs no more than its text.
 */

#include "base/buf.h"
#include "base/span.h"

/* " (why, source)", of the lines between the first one and FROM. */
void view_columns(struct buf *sql, struct span view);
