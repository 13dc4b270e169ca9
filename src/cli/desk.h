#pragma once

/*
 * desk - the tables of a machine with the knowledge beside them
 *
 * What every command works on that judges something. The tables are those of
 * the machine that the options name, or stay empty where none is asked.
 */

#include "cli/knowledge.h"
#include "cli/machine.h"

struct desk {
	struct machine machine; /* first: the machine of a desk is one */
	struct knowledge knowledge;
	const char *kb; /* --kb */
};

/* 0, or an exit status after saying what is wrong; then nothing is left to be closed. */
int desk_open(const struct options *o, struct desk *ret);
int desk_open_bare(const struct options *o, struct desk *ret); /* no machine is asked */

sqlite3 *desk_db(const struct desk *d);

void desk_close(struct desk *d);
