#pragma once

/*
 * fleet-load - a directory of snapshots as one database
 *
 * Read by as many processes as there are processors; the rows are in the order
 * of the nodes' names. One that cannot be read is said, has a row in `node`
 * with the reason, and does not end the rest.
 */

#include <sqlite3.h>

#include "cli/options.h"
#include "fleet/snapshots.h"

/* The snapshots of a directory, as snapshots_list(); why there are none is said. */
int fleet_list(const char *directory, struct snapshots *ret);

/* 0, EXIT_UNDECIDED if some could not be read, or a status with which there is no database. */
int fleet_load(const struct options *o, const char *directory, sqlite3 **ret);

/* Whether fleet_load() gave a database. */
static inline bool fleet_loaded(int status)
{
	return status == 0 || status == 3; /* EXIT_UNDECIDED */
}
