#pragma once

/*
 * kb-try - `kb try`: what other knowledge would change on recorded machines
 *
 * Every machine is diagnosed with the knowledge in use and with the other one;
 * findings and checks that differ are listed. Nothing is installed.
 */

#include "cli/options.h"

/* `db` is the compiled knowledge to try. Exit status: 0 the same, 1 something changes. */
int kb_try_run(const struct options *o, struct span db);
