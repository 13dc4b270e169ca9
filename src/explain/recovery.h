#pragma once

/*
 * recovery - whether what failed was made good, by the lines of a text
 *
 * A line that shows finished work, or a driver that recovered, makes good what failed before it
 * (data/proofs.tsv). A failure behind that line, or a person who states one, takes the proof back;
 * a question ("is my card dying?"), quoted words and trouble that is over state none. The end of a
 * process that the driver names for its reset belongs to the incident.
 */

#include "explain/failure.h"
#include "scan/marks.h"

#define RECOVERY_VICTIMS 8
#define RECOVERY_LINES   200 /* of a text: in a longer log later work need not be the same work */

struct recovery {
	struct marks *proofs; /* data/proofs.tsv */
	struct arena *arena;
	struct failure_recovery *told;
	struct span victims[RECOVERY_VICTIMS]; /* numbers of processes */
	size_t victim_count;
};

struct recovery_line {
	uint64_t number;
	struct span text;
	bool fails;   /* a program's failure stands in it */
	bool of_rank; /* one of several ranks wrote it: what the others do proves nothing for it */
};

void recovery_take(struct recovery *r, const struct recovery_line *line);

/* What a person's line states, without what is quoted. Notes the line if it has a sentence that asks or repeats. */
struct span recovery_stated(struct recovery *r, uint64_t number, struct span line, struct buf *out);
