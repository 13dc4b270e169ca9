#pragma once

/*
 * steps - a remedy's commands for the shell at hand
 *
 * The knowledge writes commands as bash has them. Setting and unsetting a
 * variable, alone or for one command, is said anew for fish, PowerShell and a
 * Dockerfile; what exists on Linux only, or on the host only, says so there.
 */

#include "base/arena.h"

enum shell { SHELL_BASH, SHELL_FISH, SHELL_POWERSHELL, SHELL_DOCKERFILE };

/* False if there is no shell of that name. */
bool steps_shell(const char *name, enum shell *ret);

/* Is there a command, and is its first word a program that exists where that shell is? */
bool steps_exists(const char *command, enum shell shell);

/* What stands above the command that shows whether it helped: a step may set variables for one run. */
const char *steps_check_title(const char *steps);

/* The same lines; a command line begins with four blanks, as before. */
const char *steps_for(struct arena *a, const char *steps, enum shell shell);
