#pragma once

/*
 * process - the libraries and variables of a process that runs
 *
 * For a walk that is made like it: the files that it has mapped, what its loader
 * and runtime were told, and its Python.
 */

#include "probe/choice.h"

/* "pid@N" in place of all else in *c. -ESRCH, -EACCES, or -ENXIO if it has mapped no HIP. */
int process_choose(const char *pid, struct choice *c);
