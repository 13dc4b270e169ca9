#pragma once

/*
 * resumed - from which checkpoint a job says that it goes on
 *
 * Programs print that before their first step, so only the beginning of both streams is looked at.
 * The words are those of rows "resumed" in data/nights.tsv; where the checkpoint is, is not guessed.
 */

#include "base/buf.h"
#include "story/run-journal.h"

#define RESUMED_BYTES ((size_t)64 << 10) /* of each stream */
#define RESUMED_LINE  300
#define RESUMED_MAX   4

struct resumed {
	struct {
		char line[RESUMED_LINE]; /* the beginning of the unfinished one */
		size_t count, seen;
	} streams[2];
	struct {
		char text[RESUMED_LINE];
		size_t count;
	} found[RESUMED_MAX];
	size_t found_count;
};

/* Whether a line says that a job goes on from a checkpoint. */
bool resumed_tells(struct span line);

void resumed_bytes(struct resumed *r, int stream, struct span bytes);

/* Events "resumed LINE". */
void resumed_write(const struct resumed *r, struct run_journal *j);
