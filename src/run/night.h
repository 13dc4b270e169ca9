#pragma once

/*
 * night - what a job's own journal says about its end
 *
 * Pure: from samples, progress and kernel lines (story/story.h) and how the job ended. Finds how
 * far it was, whether memory grew with each step, the loss was lost, the steps became slower, and
 * who may have sent SIGKILL. What follows from it stands in data/nights.tsv.
 */

#include "base/arena.h"
#include "story/story.h"

#define NIGHT_NOTES 8

struct night_end {
	int signal;     /* that ended it, or 0; 128 + N as a status counts as N */
	bool failed;    /* also by a signal */
	bool hung;      /* and was ended for that */
	bool explained; /* the output names a cause that is decided */
};

struct night_line {
	const char *name;      /* of its row; NULL: there is none */
	const char *certainty; /* of an ending */
	const char *says;
	const char *step;     /* or empty */
	const char *commands; /* lines that begin with four blanks; or empty */
};

struct night {
	const char *reached; /* "step 160 of 2000; loss 0.53; 12.3 steps a second"; or empty */
	struct night_line ending;
	struct night_line notes[NIGHT_NOTES];
	size_t note_count;
};

/* Judges the newest attempt of the story. Its samples must be in order. */
void night_of(const struct story *s, const struct night_end *end, struct arena *a,
	      struct night *ret);

/* The process class (data/process-classes.tsv) and the frames of a job that hangs. */
struct night_hang {
	const char *class;  /* or empty */
	const char *kind;   /* "host-stall" */
	struct span frames; /* lines of Python frames, the innermost first */
	struct span file;   /* all that was written about it */
};

/* Its name is NULL and its words are empty where nothing is known. */
void night_hang_of(const struct night_hang *h, struct arena *a, struct night_line *ret);

/* Whether a program is Python, or starts it, by its name. */
bool night_is_python(const char *program);

/* Why there are no Python stacks, by a word of stacks.h, and what to do; or empty. */
const char *night_python(struct span why, struct arena *a);
