#pragma once

/*
 * diary - the journal: what happened to a job, readable when it is cut at any byte
 *
 * Behind the first line records follow, each with its length and a checksum over
 * all of it; nothing that was written is touched again. The file is laid out
 * before the job's end can fill the disk, with zeros, and a last part is kept
 * for the end. A reader stops at the first record that is not whole.
 */

#include <sys/types.h>

#include "base/buf.h"

#define DIARY_FIRST   20                 /* bytes of the first line */
#define DIARY_BYTES   ((size_t)4 << 20)  /* laid out */
#define DIARY_LAST    ((size_t)32 << 10) /* of them for DIARY_END */
#define DIARY_PAYLOAD ((size_t)16 << 10) /* most of a record */

/* Numbers are part of the form. Payloads are lines of words (base/text.h). */
enum diary_kind {
	DIARY_START = 1, /* command, directory, host, pid, variables */
	DIARY_OUTPUT,    /* bytes so far: out N, err N, unscanned N, lost N */
	DIARY_FAILURE,   /* stream, line number, signature, the line */
	DIARY_EVENT,     /* name, number */
	DIARY_END,       /* how it ended, and the verdict */
	DIARY_SAMPLE,    /* memory, activity and the job's processes at one moment */
	DIARY_PROGRESS,  /* epoch, batch, step, loss, as the output tells */
	DIARY_KERNEL,    /* a line of the kernel's log */
	DIARY_PREFLIGHT, /* what a check found before the start, and what was set */
	DIARY_HANG,      /* no progress: which kind, and where the evidence is */
	DIARY_ATTEMPT,   /* its number, what was changed and why, what came of it */
	DIARY_KINDS,
};

struct diary {
	int fd; /* -1: none */
	size_t at;
};

/*
 * Makes DIRECTORY/journal, of a second attempt DIRECTORY/journal-2 and so on, which
 * must not be there yet. 0 or -errno.
 */
int diary_open(struct diary *j, const char *directory, unsigned int attempt);

/* False if it was not written: full, or no disk. Longer payloads are cut. */
bool diary_add(struct diary *j, enum diary_kind kind, uint64_t at_ms, struct span payload);
void diary_sync(struct diary *j);

/* Nothing more will come: what was laid out and not used is given back. */
void diary_end(struct diary *j);

struct diary_record {
	enum diary_kind kind;
	uint64_t at_ms; /* since 1970 */
	struct span payload;
};

/* Whether bytes begin as a journal does; cuts the beginning off. */
bool diary_begins(struct span *bytes);
bool diary_next(struct span *rest, struct diary_record *ret);
