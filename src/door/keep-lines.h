#pragma once

/*
 * keep-lines - which lines of a person's file leave the door
 *
 * Start-up files, unit files and modprobe.d hold more than we may know. Of them
 * only lines that name a watched variable, a driver or whose rights a service
 * has are kept, each after its number and a colon, and no value of a variable
 * whose name says that it is a secret.
 */

#include "base/buf.h"

/* The path_flags that ask for it. */
#define KEEP_LINES_FLAGS (PATH_SETTERS | PATH_UNIT | PATH_MODULES)

void keep_lines(struct span text, unsigned int flags, struct buf *ret);
