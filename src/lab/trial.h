#pragma once

/*
 * trial - what other knowledge would change on recorded machines
 *
 * Every machine is diagnosed with the knowledge in use and with the other one;
 * findings and checks that differ are listed. Nothing is installed. Both are
 * kept ready (diagnose/examiner.h) for one machine after the other, and what
 * they find is text, so that processes can share the machines.
 */

#include "base/span.h"
#include "base/table-write.h"
#include "context/context.h"
#include "diagnose/examiner.h"
#include "lab/lab.h"

struct trial {
	struct span db; /* the knowledge that is tried */
	const char *kb; /* the knowledge in use, as --kb names it, or NULL */
	const struct lab *lab;
	struct trial_side {
		struct context context;
		struct examiner examiner;
	} sides[2];      /* the knowledge in use, and the other one */
	struct buf rows; /* for trial_take() */
	struct table_text table;
	size_t machines, changed, findings;
};

/* 0 or an exit status; trial_end() comes in any case. */
int trial_begin(struct trial *t);

/* A snapshot, or this machine with NULL: adds to `rows`. 0 or an exit status. */
int trial_of_machine(struct trial *t, const char *path);

/* Rows of this process or of another one, into the table. */
void trial_take(struct trial *t, struct span rows);

/* The table and its sum, for a terminal of this width; frees. */
void trial_end(struct trial *t, size_t width, struct buf *ret);
