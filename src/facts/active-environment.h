#pragma once

/*
 * active-environment - which environment the judged process uses
 *
 * VIRTUAL_ENV and CONDA_PREFIX say which were activated; of two, and without
 * either, it is the one whose bin directory comes first in PATH, for that is
 * where `python` is found. Where there is no process, as in an unpacked tree,
 * none is said to be in use, and a gap says that it is not known.
 */

#include "facts/collect.h"

/* Sets `active` of c->environments, on which the search left what it knew. */
void active_environment_choose(struct collect *c);
