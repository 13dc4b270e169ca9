#pragma once

/*
 * job - the command line that failed
 *
 * The knowledge calls every job `python train.py`. Where a text shows the
 * command that was typed, steps and checks name that one instead, so that they
 * can be pasted; COMMAND where nothing says that it was Python.
 */

#include <sqlite3.h>

#include "diagnose/rules.h"

/* The last command that the text shows, else its script; NULL: a script of Python. */
const char *job_find(sqlite3 *db, struct arena *a);

/* The text with this job in its commands. */
const char *job_in(struct arena *a, const char *text, const char *job);

/* The same remedies with this job in their commands. */
void job_fill(struct arena *a, const char *job, const struct remedy **remedies, size_t count);
