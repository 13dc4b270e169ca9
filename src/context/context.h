#pragma once

/*
 * context - the tables of a machine with the knowledge beside them
 *
 * Every command that judges something works on this. The tables are those of
 * the machine that the options name, or stay empty where none is asked. Prints
 * nothing: what there is to say to the user is added to `said`, a line each.
 */

#include "context/knowledge.h"
#include "context/machine.h"

struct context {
	struct machine machine; /* first: attach() finds the context around its machine */
	struct knowledge knowledge;
	const char *kb; /* --kb */
};

/* 0, or an exit status; then nothing is left to be closed. */
int context_open(const struct context_options *o, struct context *ret, struct buf *said);

/* The same without asking any machine. */
int context_open_bare(const struct context_options *o, struct context *ret, struct buf *said);

sqlite3 *context_db(const struct context *c);

void context_close(struct context *c);
