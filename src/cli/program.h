#pragma once

/*
 * program - what this build of rocsteady has
 *
 * One table of commands for Linux, a shorter one for Windows (windows/program.c).
 * Help, "did you mean" and completion know of nothing else; a word or an option
 * of the other build is refused with a sentence that says where to find it.
 */

#include "cli/options.h"

struct program {
	const struct command *commands; /* in the order of the help */
	size_t count;
	const char *start;            /* the overview on where to begin, */
	const char *changes;          /* and on what changes the machine */
	const char *const *elsewhere; /* "check", "kb build": of the other build */
	const char *name, *where;     /* of this one, and of that */
};

extern const struct program program;

/* NULL if this build does not have it. */
const struct command *program_find(const char *name);

/* Only the other build has it. */
bool program_lacks(const char *what);

/* Says so, and where it is; returns EXIT_USAGE. */
int program_refuse(const char *command, const char *what);
