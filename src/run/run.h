#pragma once

/*
 * run - a job under supervision, in two processes
 */

#include "base/buf.h"

struct run_order {
	char *const *arguments; /* NULL-terminated */
	const char *directory;  /* of the journal; NULL: .rocsteady/TIME-HOST-PID */
	const char *kb;         /* a kb.db, or NULL */
	bool leave;             /* processes that outlive the job alone */
	bool survive;           /* our death */
};

struct run_end {
	int status;         /* as wait() tells */
	int exec_error;     /* why the program was not executed, or 0 */
	struct buf verdict; /* lines for the user; the caller releases it */
};

/* 0, or -errno if no job could be started for a reason of ours. */
int run_job(const struct run_order *order, struct run_end *ret);

/* The journal below a directory as text for people; -ENOENT and others. */
int run_report(const char *directory, struct buf *ret);
