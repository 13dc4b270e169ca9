#pragma once

/*
 * story - what happened to a job, out of the records of its journals
 *
 * Pure: records in, structs out; nothing is trusted. Samples may come late and
 * are put into order at the end. Counts are bounded, and what was left out is
 * counted. Numbers that are not known are negative; texts are clean, never NULL.
 */

#include "base/arena.h"
#include "story/run-journal.h"

#define STORY_SAMPLES 20000
#define STORY_GPUS    64
#define STORY_OTHERS  2000 /* events, points, changes: of each */
#define STORY_TAILS   8000 /* lines of output */

struct story_gpu {
	char address[16];
	int64_t used, total, job, others; /* bytes */
	int64_t busy;                     /* percent */
	int64_t temp;                     /* thousandths of a degree */
	int64_t sclk, power;              /* MHz, microwatts */
};

struct story_sample {
	uint64_t at_ms;
	struct story_gpu *gpus; /* in the order of the record */
	size_t gpu_count;
	int64_t host_used, host_total, cgroup_used, cgroup_max, rss;
	int64_t cpu_ms; /* that the job has used so far */
};

struct story_point { /* of progress */
	uint64_t at_ms;
	double epoch, epochs, batch, batches, step, steps, loss, rate, percent; /* NAN: not told */
	bool no_number; /* the loss was told, and is NaN or infinite */
};

enum story_event_kind { STORY_FAILURE, STORY_KERNEL, STORY_HANG, STORY_HANG_OVER, STORY_EVENT };

struct story_event {
	uint64_t at_ms;
	enum story_event_kind kind;
	unsigned int attempt; /* from 1 */
	const char *name;     /* signature, class, kind of hang, name */
	const char *where;    /* "stderr:212", a PCI address, or empty */
	const char *text;     /* the line, or a number */
	const char *file;     /* of a hang: its evidence; or empty */
	const char *proof;    /* of a hang for which the job was ended; or empty */
	const char *means;    /* of a hang: what the job waits for; or empty */
	const char *step;     /* of a hang: what to do about it; or empty */
	const char *python;   /* of a hang: why there are no Python stacks; or empty */
	const char *frames;   /* of a hang: lines of a Python stack; or empty */
	size_t frames_len;
};

struct story_change { /* a variable, set or unset */
	unsigned int attempt;
	bool before_start; /* by the preflight */
	const char *name, *value, *remedy, *says, *source;
	bool set;     /* it got a value; else it was unset */
	bool harmful; /* it was not changed: the user was only warned that it does harm */
};

struct story_finding { /* of the preflight */
	const char *severity, *cause, *subject, *title;
};

struct story_help { /* what can be done about a cause */
	unsigned int attempt;
	bool before_start; /* told by the preflight */
	const char *cause, *remedy, *command, *title;
	const char *steps; /* lines; a command line begins with four blanks */
};

struct story_tail { /* one of the last lines of the output */
	unsigned int attempt;
	bool is_err;
	const char *text;
};

struct story_attempt {
	unsigned int number, most;
	uint64_t start_ms, end_ms; /* end 0: the journal has none */
	const char *command, *directory, *host, *program;
	const char *why_cause, *why, *resume;
	const char *outcome, *outcome_text; /* healed, again, same-place, ...; or empty */
	const char *ending;                 /* "status", "signal", "unexecuted", or empty */
	const char *ending_word;
	const char *said; /* the verdict, lines; or empty */
	uint64_t last_ms; /* the last record */
	int64_t out, err, unscanned;
	int64_t lost_out, lost_err; /* bytes of them that could not be written to the user */
	const char *lost_why;       /* why the last of these could not, as "ENOSPC"; or empty */
	bool torn;                  /* the journal ends within a record */
};

struct story_pair {
	const char *name, *value;
};

struct story {
	struct arena arena;
	struct story_attempt *attempts;
	struct story_sample *samples; /* by time */
	struct story_point *points;
	struct story_event *events;
	struct story_change *changes;
	struct story_finding *findings;
	struct story_help *helps;
	struct story_pair *variables; /* of the first attempt */
	struct story_tail *tails;
	size_t attempt_count, sample_count, point_count, event_count, change_count, finding_count,
		help_count, variable_count, tail_count;
	size_t attempt_cap, sample_cap, point_cap, event_cap, change_cap, finding_cap, help_cap,
		variable_cap, tail_cap;
	size_t left_out;     /* records beyond the bounds */
	bool has_parts;      /* some point says where in its epoch the job is */
	bool counts_through; /* steps go on counting in the next epoch, as "global step" does */
	int64_t preflight_ms;
};

/* The bytes of one journal, first that of attempt 1. -EBADMSG: it is none. Kept until done. */
int story_read(struct story *s, struct span bytes);

/*
 * The same with pseudonyms for names, hosts and secrets (scrub/scrub.h). With one
 * key the journals of a run have the same ones.
 */
int story_read_scrubbed(struct story *s, struct span bytes, const char *key);

/* Whether something that is no record follows the last one. */
bool story_is_torn(struct span rest);

/* One record; a START begins an attempt. story-scrub.c uses it, which replaces names before. */
void story_record(struct story *s, const struct run_journal_record *r);

void story_sort(struct story *s); /* after the last journal: samples in the order of time */
void story_done(struct story *s);

/*
 * The job's progress at that point, from 0 to 1: the epochs before it and its part
 * of this one, or the steps of all. NAN: not known; also for a line that has only
 * the epoch where others have more, because it may open the epoch or close it.
 */
double story_share_done(const struct story *s, size_t point);

/* The result of the whole run. */
enum story_verdict { STORY_WELL, STORY_HEALED, STORY_FAILED, STORY_UNFINISHED };
enum story_verdict story_verdict(const struct story *s);

/* It did not end well by itself, or it hung: then a report is left beside the journals. */
bool story_is_eventful(const struct story *s);

/* In one sentence: "Failed with status 1 after 41 min: GPU memory is full". */
const char *story_sentence(const struct story *s, struct arena *a);

/* The position reached, as its verdict prints it: "epoch 1 of 3, step 160 of 2000"; or empty. */
struct span story_reached(const struct story_attempt *a);

/* The start of an attempt after the first, and the work of the one before that it repeated. */
struct story_work {
	const char *resumed;   /* the line in which the job says from where it goes on; or empty */
	const char *unit;      /* "step", "batch", "epoch" */
	double reached, began; /* by the attempt before; by this one; NAN: not told */
	double again;          /* done once more; NAN: not known */
	uint64_t again_ms;     /* of the attempt before; 0: not known */
};

/* Attempts from 0. False: nothing is known. */
bool story_work_again(const struct story *s, size_t attempt, struct story_work *ret);

/* A sentence about output that could not be written; empty: none, or the reader had left. */
const char *story_lost(const struct story_attempt *t, struct arena *a);
