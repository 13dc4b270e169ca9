#pragma once

/*
 * scan - a log of any size against hundreds of signatures
 *
 * Literals nominate places (parse/needle.h); only there a line is cut out,
 * undressed (colours, JSON escapes) and shown to the signature's pattern. Of
 * each signature the first and last line, the number and a few samples are
 * kept, so that memory does not depend on the log. Bytes, not text: nothing
 * here minds what a log holds.
 *
 * A line of more than SCAN_REACH bytes is looked at in stretches of
 * SCAN_STRETCH, each once for a signature and with SCAN_OVERLAP bytes more on
 * either side. The overlap is ten times the longest literal, so that what
 * stands across two stretches is found if it has its literal within a
 * kilobyte; what a pattern would read further away than that is not found.
 * Each stretch counts as a line of its own.
 */

#include "base/arena.h"
#include "base/span.h"
#include "scan/apart.h"

#define SCAN_SAMPLES_MAX 8    /* of a signature, with different values */
#define SCAN_VALUES_MAX  12   /* named groups of a pattern */
#define SCAN_TEXT_MAX    400  /* of a kept line */
#define SCAN_REACH       4096 /* how far from its literal a line is looked at */
#define SCAN_OVERLAP     1024 /* of a stretch with each of its neighbours */
#define SCAN_STRETCH     (SCAN_REACH - SCAN_OVERLAP)
#define SCAN_FIRST       ((size_t)6 << 10)  /* of its beginning */
#define SCAN_TAIL        ((size_t)64 << 10) /* of the text are kept to its end */

struct signature {
	const char *id;
	const char *pattern;         /* PCRE2; NULL: a literal as whole words is enough */
	const struct span *literals; /* one of them must be in the line */
	size_t literal_count;
	const char *below; /* PCRE2 of the next line that is not empty; NULL: any */
};

struct scan_value {
	const char *name;
	const char *value; /* clean text */
};

struct scan_sample {
	uint64_t line;    /* from 1 */
	const char *text; /* clean */
	struct scan_value values[SCAN_VALUES_MAX];
	size_t value_count;
};

struct scan_event {
	const struct signature *signature;
	uint64_t count; /* of lines; in a flood (scan.c) of those with its literal */
	uint64_t last_line;
	struct scan_sample *samples; /* the first is the first one met; NULL: none yet */
	size_t sample_count;
	bool more; /* different values than the samples have */
};

struct scan;

/*
 * Signatures are borrowed. NULL if a literal is too short or memory is out. A
 * pattern that PCRE2 refuses never matches: lint has tried them all.
 */
struct scan *scan_new(const struct signature *signatures, size_t count);

/* With tables that were made of all their literals, one signature after the other; or NULL. */
struct needle_tables;
struct scan *scan_new_made(const struct signature *signatures, size_t count,
			   const struct needle_tables *made);
struct scan *scan_free(struct scan *s); /* accepts NULL, returns NULL */

/* For the next text, as if it were new: what was met is forgotten. Not behind scan_close(). */
void scan_again(struct scan *s);

/* Room to read into; then say how much came. */
char *scan_room(struct scan *s, size_t *ret_size);
void scan_added(struct scan *s, size_t n);

void scan_feed(struct scan *s, struct span bytes); /* the same by copy */
void scan_end(struct scan *s);                     /* the last line may have no newline */

/* No more text will come: what was met stays, all that reading takes is given back. */
void scan_close(struct scan *s);

/* Lines that a pattern did not decide about: it takes too many steps, or its budget is spent. */
uint64_t scan_given_up(const struct scan *s);

/*
 * The last lines of the text, at most SCAN_TAIL bytes of them; for whoever looks
 * before scan_close(). They rarely begin where a line does. What an error line
 * says stands at its beginning, however long it is, so this much is kept of the
 * line that is cut. If nothing follows that line, its end is the text.
 */
struct scan_tail {
	struct span head; /* of the line that is cut, at most SCAN_TEXT_MAX bytes; may be empty */
	struct span text;
	uint64_t head_line, line; /* the number of the one, and of the first line of the other */
};

void scan_tail(const struct scan *s, struct scan_tail *ret);

/* The beginning of the text, at most SCAN_FIRST bytes: its tail may not have it. */
struct span scan_first(const struct scan *s);

/* The lines that begin unlike all others (scan/apart.h), before scan_close(); 0: there is none, or there are many. */
size_t scan_apart(const struct scan *s, struct apart_line ret[APART_LINES]);

/* Behind scan_end(): whether the last line has no newline. */
bool scan_is_open(const struct scan *s);

/* Text behind the last newline is a line once scan_end() has been called. */
uint64_t scan_lines(const struct scan *s);

/* By the line of their first sample. Lives as long as the scan. */
const struct scan_event *const *scan_events(struct scan *s, size_t *ret_count);

/* Whether an event of this scan is met by another line as well. */
bool scan_event_holds(struct scan *s, const struct scan_event *e, struct span line);
