#pragma once

/*
 * stated - the words behind --set
 *
 * NAME=VALUE states a fact. A name that nobody asks for, or a value that no
 * rule could read, would be taken and then do nothing; so both are refused,
 * with the nearest that exists.
 */

#include <sqlite3.h>

#include "cli/options.h"

struct explain_input; /* explain/input.h */

/* 0, or EXIT_USAGE after saying what is wrong. */
int stated_check(const struct command *command, const struct options *o);

/* A GPU that nobody knows changes no answer, and whoever named it would not notice: it is said. */
void stated_doubt(const struct explain_input *stated, sqlite3 *db);
