#pragma once

/*
 * probe-front - a walk through the GPU stack, made for a command and put into its machine
 */

#include "cli/open.h"

/*
 * The options with absolute paths, as the tables name them; the environment of
 * --like is looked at wherever it is. The words live as long as the process.
 */
struct options probe_front_options(const struct options *o);

/*
 * Walk as the options say, add what was found to the record, and fill the
 * tables anew. 0, or an exit status after saying what is wrong.
 */
int probe_front_walk(const struct options *o, struct machine *m);
