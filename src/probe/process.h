#pragma once

/*
 * process - the libraries and variables of a process that runs
 *
 * For a walk that is made like it: the files that it has mapped, what its loader
 * and runtime were told, its Python, and whose it is.
 */

#include "probe/choice.h"

/*
 * "pid@N" in place of all else in *c. -ESRCH, -EACCES, -ENXIO if it has mapped no
 * HIP, or -EXDEV if its files are not those that have the same names here.
 */
int process_choose(const char *pid, struct choice *c);
