#pragma once

/*
 * verify - whether an applied remedy has cured what it was for
 *
 * We say "cured" only of what can still be judged. That a GPU is gone, or that
 * our own file was removed, cures nothing.
 */

#include "fix/plan.h"
#include "fix/records.h"

/* The purpose of an applied remedy, by its record. */
struct fix_aim {
	const char *cause; /* NULL: nothing was applied */
	const char *evidence;
	const char *subject;
	const char *lost;        /* a file that it wrote and that is gone or another by now */
	const char *environment; /* that it made, or NULL */
	const char *user;        /* that it gave a group, or NULL */
};

/* Reads the only record of a remedy in a tree or, with NULL, on this host. Lives in the arena. */
struct fix_aim fix_aim_read(const char *tree, const char *remedy, const char *subject,
			    struct arena *a, struct buf *said);

/* Whether a walk of probes proves the remedy; the layer that it is for, or NULL. */
bool fix_is_proved_by_walk(sqlite3 *db, struct arena *a, const char *remedy,
			   const char **ret_layer);

enum fix_cure {
	FIX_CURED,
	FIX_NOT_FOUND, /* neither the cause nor a record that the remedy was applied */
	FIX_UNCLEAR,
	FIX_NOT_CURED,
};

/* Why it is unclear or not cured where no finding tells it; of what, and in whose words. */
enum fix_doubt {
	FIX_DOUBT_NONE,
	FIX_DOUBT_WALK,        /* what: a question; why: how it ended */
	FIX_DOUBT_LAYER,       /* what: the layer that could not be asked anything */
	FIX_DOUBT_BLIND,       /* what: why it is not known which GPUs there are */
	FIX_DOUBT_FILE,        /* what: the file that was written and is lost */
	FIX_DOUBT_ENVIRONMENT, /* what: the environment that was made and is not found */
	FIX_DOUBT_FIT,         /* what: a framework in an environment; why it does not fit */
	FIX_DOUBT_EVIDENCE,    /* what: the evidence; why it could not be asked */
	FIX_DOUBT_SUBJECT,     /* what: the subject that is not seen any more */
};

struct fix_verdict {
	enum fix_cure cure;
	const struct finding **findings; /* that are still there: those that hold first */
	size_t finding_count;
	enum fix_doubt doubt;
	const char *what, *why;
};

struct fix_question {
	const char *remedy;
	const char *subject; /* that was asked for, or NULL */
	struct fix_aim aim;
	const char *layer; /* that was walked to prove it, or NULL */
};

/* Pointers of the verdict are into the arena and the diagnosis. */
struct fix_verdict fix_verify(sqlite3 *db, const struct diagnosis *d, const struct fix_question *q,
			      struct arena *a);
