#pragma once

/*
 * answer - what a prober said, how it ended, and the lines of a walk about it
 *
 * Nothing that a prober writes is trusted: lines of no known form are dropped,
 * what is kept is escaped and bounded, and how the process ended outweighs what
 * it said of itself.
 */

#include "base/buf.h"

#define ANSWER_LINE_MAX 4096

enum answer_ending {
	ANSWER_NONE, /* nothing final has been said */
	ANSWER_ANSWERED,
	ANSWER_REFUSED,
	ANSWER_WRONG,
	ANSWER_MISSING,
	ANSWER_CRASHED,
	ANSWER_EXITED,
	ANSWER_TIMEOUT,
	ANSWER_SLOW,
	ANSWER_STUCK,
	ANSWER_SKIPPED,
};

struct answer {
	enum answer_ending ending;
	int number;       /* of REFUSED, CRASHED, EXITED */
	int unstarted;    /* errno if the program could not be executed */
	uint64_t ms;      /* from before the fork to the end */
	struct buf lines; /* ` file` and ` value`, as they go into the walk */
	bool cut;         /* there were more of them, and ` said` says so */
	struct buf said;  /* ` said` */
	struct buf call;  /* the last one begun, as a word */
	struct buf place; /* where it crashed, as a word */
};

void answer_done(struct answer *a);

/* One line from descriptor 3. */
void answer_line(struct answer *a, struct span line);

/* A line of ours, or the end of what came on standard error. */
void answer_say(struct answer *a, struct span text);
void answer_sayf(struct answer *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
void answer_say_tail(struct answer *a, struct span tail, bool is_whole);
void answer_value(struct answer *a, const char *name, struct span text);

/* The process is gone, by itself or by a signal that nobody sent. Status as of waitpid. */
void answer_end(struct answer *a, int status);

const char *answer_word(enum answer_ending ending);

/*
 * The next ` value` line; *rest is a->lines at first. Both spans as they stand in
 * the walk's text.
 */
bool answer_next_value(struct span *rest, struct span *ret_name, struct span *ret_text);

/*
 * The lines of a walk. Below the first, nothing that would make the text longer than
 * `most`; false if something was left out for that.
 */
bool answer_write(struct buf *text, const struct answer *a, const char *question,
		  const char *subject, bool alone, size_t most);
