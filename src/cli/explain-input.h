#pragma once

/*
 * explain-input - logs and statements that the user handed over
 */

#include "cli/options.h"
#include "explain/log.h"

/* Every file named (- and none: standard input) through one scan. 0 or an exit status. */
int explain_input_logs(const struct options *o, const struct log_signatures *signatures,
		       struct state *state, unsigned long long *ret_lines);

/* --facts FILE.json and --set NAME=VALUE. 0 or an exit status. */
int explain_input_stated(const struct options *o, struct state *state);
