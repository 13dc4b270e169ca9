#pragma once

/*
 * targets-rules - --skip and --rules, from the command line to the rows
 */

#include "cli/options.h"
#include "targets/rules.h"

/* 0, with what the file requires (or NULL), or an exit status after saying what is wrong. */
int targets_rules_take(struct targets *t, const struct options *o, const char **ret_require);

/* Names rules that fit nothing: they are older than the files. */
void targets_rules_say_unused(const struct targets *t);
