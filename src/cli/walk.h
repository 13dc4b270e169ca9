#pragma once

/*
 * walk - a walk through the GPU stack, made for a command and put into its machine
 */

#include "cli/machine.h"

/*
 * Walk as the options say, add what was found to the record, and fill the
 * tables anew. 0, or an exit status after saying what is wrong.
 */
int walk_make(const struct options *o, struct machine *m);
