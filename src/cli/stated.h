#pragma once

/*
 * stated - the words behind --set
 *
 * NAME=VALUE states a fact. A name that nobody asks for, or a value that no
 * rule could read, would be taken and then do nothing; so both are refused,
 * with the nearest that exists.
 */

#include "cli/options.h"

/* 0, or EXIT_USAGE after saying what is wrong. */
int stated_check(const struct command *command, const struct options *o);
