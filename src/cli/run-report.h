#pragma once

/*
 * run-report - what a run's journals tell, on demand and beside them
 */

#include "cli/options.h"

/* --report DIR, in the format that the options name. The exit status. */
int run_report_show(const struct options *o);

/* Whether a directory is one that run has made, which has a journal of ours. */
bool run_report_is_run(const char *directory);

/* `explain DIRECTORY`: as --report, and the exit status tells how the job ended. */
int run_report_explain(const struct options *o, const char *directory);

/*
 * report.html and report.json beside the journals of a run that failed, hung or
 * was healed. What cannot be written is not: the journals are there.
 */
void run_report_leave(const char *directory);
