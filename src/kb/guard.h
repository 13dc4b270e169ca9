#pragma once

/*
 * guard - the walls around SQL that somebody else wrote
 *
 * No rule can write, attach, loop or run for long: an authorizer with lists of
 * what may be read and called, small limits, and a budget counted in SQLite's
 * own steps, which are equal on every machine. The progress handler does not
 * fire inside one function call (instr over two megabytes took 42 s), so
 * lengths are limited too.
 */

#include <sqlite3.h>

#include "base/buf.h"

#define GUARD_STEPS_STATEMENT 100000
#define GUARD_STEPS_RUN	      2000000
#define GUARD_ROWS_MAX	      2000

struct guard {
	sqlite3 *db;
	uint64_t steps;	     /* of this statement so far */
	uint64_t steps_run;  /* of the whole run */
	uint64_t allowed;    /* for this statement */
	struct buf reads;    /* "table table.column ..." while preparing, if recording */
	bool recording;
	const char *refused; /* why preparing failed, or NULL */
};

/* From here on the connection prepares and runs only what the guard allows. */
void guard_on(struct guard *g, sqlite3 *db);
void guard_off(struct guard *g);

/*
 * Prepare one statement. NULL with the reason in *ret_why (owned by the guard
 * or the connection) if it is no single allowed SELECT. With `recording` on,
 * g->reads has what it reads.
 */
sqlite3_stmt *guard_prepare(struct guard *g, const char *sql, const char **ret_why);

/* 1 row, 0 end, -ETIME over its budget, -EIO another error. */
int guard_step(struct guard *g, sqlite3_stmt *stmt);
