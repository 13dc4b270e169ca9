#pragma once

/*
 * active-environment - which environment the judged process uses
 *
 * VIRTUAL_ENV and CONDA_PREFIX say which were activated; of two, and without
 * either, it is the one whose bin directory comes first in PATH, for that is
 * where `python` is found. If the process is not known and there is only one
 * environment with frameworks, it is that one.
 */

#include "facts/python-view.h"

/* Sets `active` of c->environments, on which the search left what it knew. */
void active_environment_settle(struct collect *c, const struct python_views *views);
