#pragma once

/*
 * baseline - nothing that the last release had code for may be lost
 *
 * Each row of the older release is looked for in the newer one: by its name, by its name without
 * digits (cpython-312 and cpython-313), by the last part of its path. What is not there any more,
 * and each target that it covered better, is lost, unless a rule leaves it out.
 */

#include "targets/targets.h"

/* Both were judged. Adds what is lost to `t`, and sets its verdict. `name`: of the older release. */
void targets_compare(struct targets *t, const struct targets *older, const char *name);
