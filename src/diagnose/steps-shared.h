#pragma once

/*
 * steps-shared - commands that whoever gets a report can paste
 *
 * A report that is handed on has pseudonyms for the judged user and their
 * home; a command with one of them runs nowhere. In commands, and there alone,
 * the home is ~ or $HOME and the user is $USER, whatever shell it is.
 */

#include "base/arena.h"

struct steps_owner {
	const char *home; /* of the judged user, as the facts have it; NULL: not known */
	const char *user; /* NULL: not known */
};

/* Lines that begin with four blanks are commands. With no owner they stay as they are. */
const char *steps_shared(struct arena *a, const char *steps, const struct steps_owner *owner);

/* One command. */
const char *steps_shared_command(struct arena *a, const char *command,
				 const struct steps_owner *owner);
