#pragma once

/*
 * run-journal - the journal: what happened to a job, readable when it is cut at any byte
 *
 * Behind the first line records follow, each with its length and a checksum over
 * all of it; nothing that was written is touched again. The file is laid out
 * before the job's end can fill the disk, with zeros, and a last part is kept
 * for the end. A reader stops at the first record that is not whole.
 */

#include <sys/types.h>

#include "base/buf.h"

#define RUN_JOURNAL_FIRST   20                 /* bytes of the first line */
#define RUN_JOURNAL_BYTES   ((size_t)4 << 20)  /* laid out */
#define RUN_JOURNAL_LAST    ((size_t)32 << 10) /* of them for RUN_JOURNAL_END */
#define RUN_JOURNAL_PAYLOAD ((size_t)16 << 10) /* most of a record */

/* Numbers are part of the form. Payloads are lines of words (base/text.h). */
enum run_journal_kind {
	RUN_JOURNAL_START = 1, /* command, directory, host, pid, variables */
	RUN_JOURNAL_OUTPUT,    /* bytes so far: out N, err N, unscanned N, lost N */
	RUN_JOURNAL_FAILURE,   /* stream, line number, signature, the line */
	RUN_JOURNAL_EVENT,     /* name, number */
	RUN_JOURNAL_END,       /* how it ended, and the verdict */
	RUN_JOURNAL_SAMPLE,    /* memory, activity and the job's processes at one moment */
	RUN_JOURNAL_PROGRESS,  /* epoch, batch, step, loss, as the output tells */
	RUN_JOURNAL_KERNEL,    /* a line of the kernel's log */
	RUN_JOURNAL_PREFLIGHT, /* what a check found before the start, and what was set */
	RUN_JOURNAL_HANG,      /* no progress: which kind, and where the evidence is */
	RUN_JOURNAL_ATTEMPT,   /* its number, what was changed and why, what came of it */
	RUN_JOURNAL_TAIL,      /* the last lines of the output */
	RUN_JOURNAL_KINDS,
};

const char *run_journal_kind_name(enum run_journal_kind kind);

struct run_journal {
	int fd; /* -1: none */
	size_t at;
	uint64_t left_out; /* records that there was no room for, or only for a part of them */
};

/*
 * Makes DIRECTORY/journal, of a second attempt DIRECTORY/journal-2 and so on, which
 * must not be there yet. 0 or -errno.
 */
int run_journal_open(struct run_journal *j, int dir, unsigned int attempt);

/* False if it was not written: full, or no disk. Longer payloads are cut. */
bool run_journal_add(struct run_journal *j, enum run_journal_kind kind, uint64_t at_ms,
		     struct span payload);

/* Nothing more will come: what was laid out and not used is given back. Whoever writes it syncs it. */
void run_journal_end(struct run_journal *j);

struct run_journal_record {
	enum run_journal_kind kind;
	uint64_t at_ms; /* since 1970 */
	struct span payload;
};

/* Reads all that was written so far. 0 or -errno. */
int run_journal_read(const struct run_journal *j, struct buf *ret);

/* Whether bytes begin as a journal does; cuts the beginning off. */
bool run_journal_begins(struct span *bytes);
bool run_journal_next(struct span *rest, struct run_journal_record *ret);
