#pragma once

/*
 * ladder - whether a job that failed is tried again, and with what
 *
 * A pure decision over what is known at the end of an attempt. It follows the
 * diagnosis: a change is made only if a lever of the found cause applies, and
 * never twice. Its outcome is told as lines of words, which go into the journal
 * and from the watcher to the process that makes the next attempt.
 */

#include "base/buf.h"
#include "diagnose/levers.h"

/* Where a job failed. */
struct ladder_place {
	const char *signature;   /* of the first failure; empty: none is known */
	unsigned long long line; /* of the stream, from 1 */
	long epoch, batch, step; /* as the output told them last; -1: not known */
};

enum ladder_outcome {
	LADDER_ENDED,      /* well without us, by the user's will, or nobody asked to heal */
	LADDER_HEALED,     /* well, with a change or at another attempt */
	LADDER_AGAIN,      /* another attempt follows */
	LADDER_SAME_PLACE, /* what was changed did not help */
	LADDER_NO_LEVER,   /* nothing that the environment could change helps */
	LADDER_LAST,       /* something would, and there is no attempt left */
};

struct ladder_view {
	bool heals;
	bool allow_cpu;
	bool succeeded;
	bool stopped; /* by the user */
	bool hung;    /* and is to be tried again for that: nothing has to change */
	unsigned int attempt, attempts;
	struct ladder_place place;
	const struct ladder_place *before; /* of the attempt before, or NULL */
	const struct levers *levers;       /* that apply */
	const struct lever *settings;      /* in force */
	size_t setting_count;
};

struct ladder_step {
	enum ladder_outcome outcome;
	size_t first, count; /* of the levers; count 0: nothing changes */
};

struct ladder_step ladder_decide(const struct ladder_view *v);
const char *ladder_outcome_name(enum ladder_outcome outcome);

/* ---- as lines of words ---- */

/* "set NAME VALUE REMEDY SAYS SOURCE", "unset NAME REMEDY SAYS SOURCE" */
void ladder_write_lever(struct buf *out, const struct lever *l);

/* "helps CAUSE REMEDY COMMAND TITLE": what can be done about it, and the command to go on with. */
void ladder_write_help(struct buf *out, const char *cause, const char *remedy, const char *command,
		       const char *title);

/* What the watcher found out for whoever goes on. */
struct ladder_plan {
	enum ladder_outcome outcome;
	const char *says;      /* of the outcome, a sentence */
	const char *directory; /* of the run; empty: there is none */
	const char *cause, *title;
	struct ladder_place place;
	struct lever *changes; /* of the step */
	size_t change_count;
};

void ladder_write(struct buf *out, const struct ladder_plan *p);
bool ladder_read(struct span text, struct arena *a, struct ladder_plan *ret);

/* "--resume 'last one.pt'" as a shell would split it, without any expansion. False: a quote is open. */
bool ladder_words(struct span text, struct arena *a, char ***ret, size_t *ret_count);
