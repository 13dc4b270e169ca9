#pragma once

/*
 * run-dir - the directory that journals, stacks and the Python hook of a run go to
 *
 * Named by --dir or ROCSTEADY_RUN_DIR, else .rocsteady where the job starts.
 * Root writes, and lets the job load, only what nobody else can change: with a
 * --dir that is not so the job is not started, and in place of the variable's
 * or of ./.rocsteady the one in root's home is used.
 */

#include "base/buf.h"

struct run_dir {
	const char *named; /* by the user; NULL: each run gets a new directory below `own` */
	struct buf own;    /* empty: there is no place */
};

/* Makes what is missing. Lines for the user in `said`; -EPERM: not with this one. */
int run_dir_choose(const char *named, struct run_dir *ret, struct buf *said);
void run_dir_done(struct run_dir *d);

/* A new directory below one: its name is added to *path. A descriptor, or -errno. */
int run_dir_new(int top, struct buf *path, int keeper);

/* The directory `name` in a run's, for the hook; a descriptor, or -errno. */
int run_dir_below(const char *directory, const char *name, struct buf *ret_path);
