#pragma once

/*
 * assign - what a line of a start-up file does to the environment
 *
 * Reads the assignments out of .bashrc, config.fish, .cshrc, unit files,
 * environment.d and Dockerfiles. Nothing is executed or expanded: the answer
 * is what is written, so whether a branch runs stays the caller's question.
 *
 * Feed it logical lines (parse/lines.h):
 *
 *	struct assign_reader reader = assign_start(ASSIGN_SH, line);
 *	while (assign_next(&reader, &assign)) ...
 */

#include "base/span.h"

enum assign_dialect {
	ASSIGN_SH, /* sh, bash, zsh */
	ASSIGN_FISH,
	ASSIGN_CSH,
	ASSIGN_SYSTEMD, /* Environment= of unit files, DefaultEnvironment= */
	ASSIGN_PLAIN,   /* environment.d, /etc/environment, .env: one A=b a line */
	ASSIGN_DOCKER,  /* ENV A=b C=d, ENV A b */
};

struct assign {
	enum assign_dialect dialect;
	struct span name;
	struct span value; /* as written; outer quotes dropped if it stands wholly in them */
	bool has_value;    /* false for `export A`, which exports what was set earlier */
	bool exported;     /* reaches the programs started later */
	bool one_shot;     /* `A=b command`: for that one command only */
	bool appends;      /* keeps the former value: refers to $A, or A+=b */
};

struct assign_reader {
	enum assign_dialect dialect;
	struct span rest;
	/* Private from here on: where in a statement the reader stands. */
	int state;
	bool exports;
	bool one_shot;
	bool appends;
};

struct assign_reader assign_start(enum assign_dialect dialect, struct span line);
bool assign_next(struct assign_reader *reader, struct assign *ret);
