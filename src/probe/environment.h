#pragma once

/*
 * environment - the variables of a prober
 *
 * Closed: nothing of ours is inherited. Directories of its own, a fixed PATH,
 * and what the walk varies.
 */

#include "base/arena.h"

/*
 * NAME=VALUE, NULL at the end. `home` as of scratch_dir_home(). Of several variables
 * with one name the last of `variables` (may be NULL) counts. With alone >= 0
 * the device of that index is the only visible one, and has index 0.
 */
char **environment_make(struct arena *a, const char *home, const char *const *variables, int alone);
