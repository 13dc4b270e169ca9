#pragma once

/*
 * failure-tables - what lines say of how a text ends
 *
 * The tables of data/ for it, read when the first text asks and kept for the next: each pattern
 * is compiled once. One process has them for itself.
 */

#include "explain/symptom-words.h"
#include "scan/marks.h"

struct failure_tables {
	struct marks *marks, *closings, *origins, *proofs;
	struct symptom_words *symptoms;
};

/* Reads what is not read yet. */
const struct failure_tables *failure_tables_get(struct failure_tables *t);
void failure_tables_done(struct failure_tables *t);
