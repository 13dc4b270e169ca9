#pragma once

/*
 * trial - what other knowledge would change on recorded machines
 *
 * Every machine is diagnosed with the knowledge in use and with the other one;
 * findings and checks that differ are listed. Nothing is installed.
 */

#include "base/span.h"
#include "base/table-write.h"
#include "lab/lab.h"

struct trial {
	struct span db; /* the knowledge that is tried */
	const char *kb; /* the knowledge in use, as --kb names it, or NULL */
	const struct lab *lab;
	struct table_text table;
	size_t machines, changed, findings;
};

void trial_begin(struct trial *t);

/* A snapshot, or this machine with NULL; for snapshots_each(). 0 or an exit status. */
int trial_of_machine(void *trial, const char *path);

/* The table and its sum, for a terminal of this width; frees. */
void trial_end(struct trial *t, size_t width, struct buf *ret);
