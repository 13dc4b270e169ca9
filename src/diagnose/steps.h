#pragma once

/*
 * steps - a remedy's commands for the shell at hand
 *
 * The knowledge writes commands as bash has them. Setting and unsetting a
 * variable, alone or for one command, is said anew for fish, PowerShell and a
 * Dockerfile; what exists on Linux only, or on the host only, says so there.
 */

#include <sqlite3.h>

#include "base/arena.h"
#include "diagnose/diagnose.h"

enum shell { SHELL_BASH, SHELL_FISH, SHELL_POWERSHELL, SHELL_DOCKERFILE };

/* False if there is no shell of that name. */
bool steps_shell(const char *name, enum shell *ret);

enum system { SYSTEM_LINUX, SYSTEM_WINDOWS, SYSTEM_WSL };

/* The system that the text states or the machine is; Linux, if nothing says that it is another. */
enum system steps_system(sqlite3 *db);

/* That of this system: bash, if it is not Windows. */
enum shell steps_stated(sqlite3 *db);

/* Is there a command, and is it the job, or its first word a program that exists where that shell is? */
bool steps_exists(const char *command, const char *job, enum shell shell);

/* What stands above the command that shows whether it helped: a step may set variables for one run. */
const char *steps_check_title(const char *steps);

/* The same lines; a command line begins with four blanks, as before. */
const char *steps_for(struct arena *a, const char *steps, enum shell shell);

/* Those of a remedy, which may have been written for Windows already. */
const char *steps_of(struct arena *a, const struct remedy *r, enum shell shell);
