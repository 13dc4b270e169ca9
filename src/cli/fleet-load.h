#pragma once

/*
 * fleet-load - many snapshots as one database
 *
 * A directory is read by as many processes as there are processors; the rows
 * are in the order of the nodes' names. One that cannot be read is said, has a
 * row in `node` with the reason, and does not end the rest. The file that
 * `query -o` writes is the same, loaded at once.
 */

#include <sqlite3.h>

#include "base/buf.h"
#include "cli/options.h"
#include "fleet/snapshots.h"

struct fleet {
	sqlite3 *db;
	struct buf file; /* its bytes, if it was read from one */
};

/* The snapshots of a directory, as snapshots_list(); why there are none is said. */
int fleet_list(const char *directory, struct snapshots *ret);

bool fleet_is_database(const char *path); /* whether it is a regular file of SQLite */

/* Whether the path names many machines: a directory, or such a file. */
bool fleet_is_many(const char *path);

/*
 * 0, EXIT_UNDECIDED if some could not be read, or a status with which there is no database.
 * fleet_done() ends it in any case.
 */
int fleet_load(const struct options *o, const char *path, struct fleet *ret);
void fleet_done(struct fleet *f);
