#pragma once

/*
 * commands (author) - one function for each word after `rocsteady-kb`
 *
 * Each returns the exit status of the program.
 */

#include "cli/options.h"

int cmd_build(const struct options *o);
int cmd_lint(const struct options *o);
int cmd_score(const struct options *o);
int cmd_test(const struct options *o);
