#pragma once

/*
 * failure - whether a log ends in a failure, known or not
 *
 * The last lines of a text are looked at one by one (data/marks.tsv gives each
 * its kind). A mark of failure counts if nothing after it shows that work went
 * on: an exception that was caught, a retry that succeeded and "0 errors" are
 * none. Lines of a rank are judged by what the same rank says afterwards, so
 * that one that dies among seven that go on is seen.
 */

#include "base/arena.h"
#include "base/buf.h"
#include "scan/scan.h"

struct log_signatures; /* explain/log.h */

enum failure_end {
	FAILURE_END_WHOLE,
	FAILURE_END_OPEN,      /* the last line has no newline: it may be cut */
	FAILURE_END_TRACEBACK, /* it ends within a traceback, before the line that names the error */
	FAILURE_END_EMPTY,     /* there is no text at all */
	FAILURE_END_BINARY,    /* it is no text */
};

#define FAILURE_SURVIVED 16
#define FAILURE_ASKED    16

struct failure_line {
	uint64_t line;    /* from 1; 0: there is none */
	const char *text; /* clean */
};

struct failure {
	bool counts;
	bool is_told; /* no line of it is an error: a person tells of one, in `last` */
	bool is_weak; /* words of its last line are all there is, and healthy programs use them too */
	bool worked;   /* a line shows work or success, and none a failure */
	bool is_bare;  /* a few lines that show neither a failure nor that anything worked */
	bool is_scrap; /* so few that they are a piece of something: nothing in them earns an "ok" */
	const char *symptom; /* that a line tells of, a cause of that kind; or NULL */
	enum failure_end end;
	const char *file; /* how the log is called */
	struct failure_line first, last;
	struct failure_line closing; /* the last line that is not blank */
	uint64_t from;               /* the first line that was looked at for unknown failures */
	uint64_t begins;             /* the line in which the last one's traceback begins */
	/* Where it comes from, by data/origins.tsv; NULL for a text that is fine. */
	const char *origin;
	const char *place; /* FILE:LINE of a traceback's last frame, or NULL */
	const char *says;  /* a sentence */
	bool is_clear;     /* it tells what happened, and the GPU's software has no part in it */
	bool is_vague;     /* it tells no more than the kind of program: a component may be found */
	const char *component;    /* which software prints the line; NULL: not known */
	const char *step, *typed; /* what to do next, and a command for it or NULL */
	struct span words;        /* the last of the text, if its origin is unknown; else NULL */
	const char *
		stopped; /* of a text without a failure: a person ended the job, and where; or NULL */
	const char *unread;       /* which part of the text is missing and why, or NULL */
	struct failure_survived { /* exceptions and ended processes behind which work went on */
		const struct failure_line *list; /* the first FAILURE_SURVIVED of them */
		size_t count;                    /* all of them */
	} survived;
	struct failure_recovery { /* explain/recovery.h */
		struct failure_line
			proof;  /* the last line that shows finished work; line 0: none */
		bool by_driver; /* the driver alone says that it works again */
		bool on_gpu;    /* a line tells that a GPU holds the model or does the work */
		bool is_denied; /* a person states that it fails */
		uint64_t failed_after;         /* the last line behind the proof that fails, or 0 */
		uint64_t asked[FAILURE_ASKED]; /* lines of which a part asks or repeats */
		size_t asked_count;
		bool is_long; /* the text is too long for its last lines to speak for the first */
	} recovery;
};

/*
 * After scan_end() and before scan_close(). Lines that a signature knows to be
 * harmless are no marks.
 */
void failure_find(struct scan *scan, const struct log_signatures *signatures, const char *file,
		  struct arena *arena, struct failure *ret);

/* A signature may know better: a line that often frightens and means nothing. */
bool failure_is_harmless(struct scan *scan, const struct log_signatures *signatures,
			 struct span line);

#define FAILURE_STDIN "input" /* how standard input is called where a log has its name */

/* Where a line stands, for people: "train.log:12", and "line 12" of standard input. */
void failure_place(struct buf *out, const char *file, uint64_t line);

/* Of several texts the one that is told: the last that fails, else the last. */
const struct failure *failure_of(const struct failure *list, size_t count);

const char *failure_end_name(enum failure_end end);
