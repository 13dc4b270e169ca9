#pragma once

/*
 * targets - what was found in files, directories and containers, and whether
 * it covers the GPUs that are asked for
 *
 * Whoever looks adds rows; targets_judge() decides once, for every printer.
 * Everything lives in the arena of the struct.
 */

#include "targets/cover.h"

struct targets_row {
	const char *path;      /* FILE, or CONTAINER/MEMBER */
	const char *container; /* NULL: a file of its own */
	const char *member;
	const char *label; /* as much of the path's end as tells it apart */
	const struct code *code;
	const struct kernels *kernels; /* instead of code */
	const struct targets_row
		*owner; /* the library that these kernels belong to, in the row above */
	bool named;     /* the user named this very file */
	bool judged; /* false: one of many for different GPUs, judged together in a row of its own */
	struct cover_cell *cells; /* one for each device */
	bool *exempt;             /* the same: a rule leaves this out, and it is not judged */
	enum cover worst;
};

/* Something that was named or found, and gave no row. */
struct targets_note {
	const char *path;
	const char *says;
};

struct targets_device {
	const char *id;
	unsigned int lacking; /* rows that do not cover it */
	unsigned int unknown; /* rows of which that is not known */
};

enum targets_verdict {
	TARGETS_LISTED, /* nothing was required */
	TARGETS_COVERED,
	TARGETS_NOT_COVERED,
	TARGETS_UNDECIDED, /* something could not be read */
};

struct targets_rule; /* targets/rules.h */

struct targets {
	struct arena arena;
	struct targets_row *rows;
	size_t row_count;
	struct targets_note *nothing; /* named, and without device code */
	size_t nothing_count;
	struct targets_note *unread; /* could not be read */
	size_t unread_count;
	struct targets_note *left_out; /* by a rule */
	size_t left_out_count;
	struct targets_note *lost; /* what the baseline has code for */
	size_t lost_count;
	const char *baseline; /* the older release, or NULL */
	struct targets_rule *rules;
	size_t rule_count;
	struct targets_device *devices; /* required ones, or all that were found */
	size_t device_count;
	bool required;
	bool if_any;         /* whoever required them lets pass what has no device code at all */
	unsigned int judged; /* rows */
	enum targets_verdict verdict;
};

/* The copies that rows need are made here; code and kernels must be in the arena. */
struct targets_row *targets_add(struct targets *t, const char *container, const char *path);
void targets_nothing(struct targets *t, const char *path, const char *says);
void targets_unread(struct targets *t, const char *path, const char *says);
void targets_left_out(struct targets *t, const char *path);
void targets_lost(struct targets *t, const char *path, const char *says);

/* Before judging: a GPU that must be covered. Twice the same counts once. */
void targets_require(struct targets *t, const char *device);

/*
 * Code objects and archives of kernels that lie about in one directory are each
 * for one GPU: a row more for each such directory, judged in their place, with
 * the kind "code-objects" or "kpack". Called by targets_judge().
 */
void targets_gather_loose(struct targets *t);

/* Order, labels, cells, verdict. */
void targets_judge(struct targets *t);

/* The weight of one answer for a user who required a GPU. */
enum targets_weight { TARGETS_FINE, TARGETS_TOLD, TARGETS_DOUBTED, TARGETS_FAILS };

enum targets_weight targets_weigh(enum cover cover);
enum targets_weight targets_weigh_nothing(const struct targets *t); /* a path without device code */

int targets_exit_status(const struct targets *t);               /* 0, 2 or 3 */
const char *targets_verdict_name(enum targets_verdict verdict); /* "covered", ... */
void targets_done(struct targets *t);
