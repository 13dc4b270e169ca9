#pragma once

/*
 * program - the commands that a program has
 *
 * rocsteady for Linux, for Windows (windows/program.c) and for the page (wasm/program.c),
 * and rocsteady-kb (author/program.c) have a table each. Help, "did you mean" and completion
 * know of nothing else; a word or an option of another program is refused with a sentence
 * that says where to find it.
 */

#include "cli/options.h"

struct program {
	const char *word;               /* that is typed */
	const char *title;              /* what it is, in the overview */
	const struct command *commands; /* in the order of the help */
	size_t count;
	const char *start;            /* the overview on where to begin, */
	const char *changes;          /* and on what changes the machine */
	const char *const *elsewhere; /* "check", "kb build": of another program */
	const char *name;             /* of this one, */
	const char *other, *where;    /* and of that */
};

extern const struct program program;

/* NULL if this program does not have it. */
const struct command *program_find(const char *name);

/* Only the other program has it. */
bool program_lacks(const char *what);

/* Says so, and where it is; returns EXIT_USAGE. */
int program_refuse(const char *command, const char *what);
