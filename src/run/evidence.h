#pragma once

/*
 * evidence - the watcher's notes: which go into the journal, and in which words
 */

#include "parse/progress.h"
#include "run/disk.h"
#include "run/run.h"
#include "run/scanner.h"
#include "run/shared-memory.h"
#include "story/run-journal.h"

struct evidence {
	struct run_journal journal;
	struct disk disk;     /* syncs the journal */
	struct buf directory; /* of the journal; empty: there is none */
	int dir;              /* the same, open */
	struct buf first;     /* the first failure line */
	struct buf heard;     /* the first line of the kernel that tells of a problem */
	struct buf notes;     /* lines for the end of the verdict */
	struct buf hang_step, hang_commands; /* what to do about the last hang; or empty */
	const char *first_signature;
	const struct progress *progress; /* the newest, or NULL: nobody watches it */
	struct progress first_progress;  /* when the first failure line came */
	unsigned long long first_line;
	unsigned int failures;
};

/* Makes the directory and writes what is known at the start; without one the user is told. */
void evidence_open(struct evidence *e, const struct run_order *order, struct shared_memory *s);

void evidence_event(struct evidence *e, const struct shared_event *event);
void evidence_word(struct evidence *e, const char *name, int64_t number);
void evidence_rank(struct evidence *e, const char *name, long rank, int64_t process);
void evidence_output(struct evidence *e, struct shared_memory *s);
void evidence_failure(struct evidence *e, const struct scanner_failure *f);

/* The last record. `scanner` may be NULL. The verdict is put where the keeper finds it. */
void evidence_end(struct evidence *e, const struct run_order *order, struct shared_memory *s,
		  struct scanner *scanner);
