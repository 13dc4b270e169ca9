#pragma once

/*
 * retry - whether a job that failed is tried again, and with what
 *
 * A pure decision over what is known at the end of an attempt. It follows the
 * diagnosis: a change is made only if a workaround of the found cause applies, and
 * never twice. Its outcome is told as lines of words, which go into the journal
 * and from the watcher to the process that makes the next attempt.
 */

#include "base/buf.h"
#include "diagnose/workarounds.h"

/* The place at which a job failed. */
struct retry_place {
	const char *signature;   /* of the first failure; empty: none is known */
	unsigned long long line; /* of the stream, from 1 */
	long epoch, batch, step; /* as the output told them last; -1: not known */
};

enum retry_outcome {
	RETRY_ENDED,         /* well without us, by the user's will, or nobody asked to heal */
	RETRY_HEALED,        /* well, with a change or at another attempt */
	RETRY_AGAIN,         /* another attempt follows */
	RETRY_SAME_PLACE,    /* what was changed did not help */
	RETRY_NO_WORKAROUND, /* nothing that the environment could change helps */
	RETRY_LAST,          /* something would, and there is no attempt left */
};

struct retry_view {
	bool heals;
	bool allow_cpu;
	bool succeeded;
	bool stopped; /* by the user */
	bool hung;    /* and is to be tried again for that: nothing has to change */
	unsigned int attempt, attempts;
	struct retry_place place;
	const struct retry_place *before;      /* of the attempt before, or NULL */
	const struct workarounds *workarounds; /* that apply */
	const struct workaround *settings;     /* in force */
	size_t setting_count;
};

struct retry_step {
	enum retry_outcome outcome;
	size_t first, count; /* of the workarounds; count 0: nothing changes */
};

struct retry_step retry_decide(const struct retry_view *v);
const char *retry_outcome_name(enum retry_outcome outcome);

/* ---- as lines of words ---- */

/* "set NAME VALUE REMEDY SAYS SOURCE", "unset NAME REMEDY SAYS SOURCE" */
void retry_write_workaround(struct buf *out, const struct workaround *w);

/*
 * "helps CAUSE REMEDY COMMAND TITLE": what can be done about it, and the command to go on with;
 * "steps LINES" behind it.
 */
void retry_write_help(struct buf *out, const char *cause, const char *remedy, const char *command,
		      const char *title);
void retry_write_steps(struct buf *out, const char *steps);

/* The watcher's result, for the process that plans the next attempt. */
struct retry_plan {
	enum retry_outcome outcome;
	const char *says;      /* of the outcome, a sentence */
	const char *directory; /* of the run; empty: there is none */
	const char *cause, *title;
	struct retry_place place;
	struct workaround *changes; /* of the step */
	size_t change_count;
};

void retry_write(struct buf *out, const struct retry_plan *p);
bool retry_read(struct span text, struct arena *a, struct retry_plan *ret);

/* "--resume 'last one.pt'" as a shell would split it, without any expansion. False: a quote is open. */
bool retry_words(struct span text, struct arena *a, char ***ret, size_t *ret_count);
