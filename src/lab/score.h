#pragma once

/*
 * score - how often explanations are right, by the rules of the corpus
 *
 * One answer a record and presentation goes in; rates with their intervals,
 * gain, calibration and the confusion come out. Pure arithmetic.
 */

#include "base/arena.h"
#include "explain/explain.h"

#define SCORE_RANKS 3
#define SCORE_BANDS 3 /* belief of 90 and above, 60 to 90, below 60 */

enum score_group { SCORE_DECIDABLE, SCORE_RELEASE, SCORE_ALL, SCORE_GROUPS };
enum score_healthy { SCORE_LOG, SCORE_MACHINE, SCORE_HEALTHY };

/* Kinds of cure of a record: those that were confirmed, and others that would be right. */
struct score_cures {
	const char **kinds, **also;
	size_t kind_count, also_count;
};

struct score_answer {
	const char *cause;         /* what was wrong */
	const char *const *others; /* causes that also apply */
	size_t other_count;
	const char *ranked[SCORE_RANKS]; /* what we named, NULL: nothing */
	double belief;                   /* in the first */
	bool decided;
	const char *const
		*family; /* its causes, where a family was named and not the first cause */
	size_t family_count;
	bool silent; /* it named nothing: ok, or not recognised */
	bool is_ok;
	const char *
		steps[SCORE_RANKS]; /* kinds of cure of the first steps, blank-separated, or NULL */
	const struct score_cures *cures; /* what cured it; NULL: not told */
};

struct score_rate {
	unsigned int hits, of;
};

struct score_mean {
	double sum, squares;
	unsigned int of;
};

struct score {
	struct score_rate hit1[SCORE_GROUPS], strict1[SCORE_GROUPS], hit3[SCORE_GROUPS];
	struct score_rate decided[SCORE_GROUPS], right[SCORE_GROUPS]; /* right of those decided */
	struct score_mean gain[SCORE_GROUPS];
	struct score_rate cures1[SCORE_GROUPS], cures3[SCORE_GROUPS];
	struct score_rate confirmed1[SCORE_GROUPS], confirmed3[SCORE_GROUPS]; /* without `also` */
	struct score_rate cleared[SCORE_GROUPS];                              /* told "ok" */
	struct score_rate bands[SCORE_BANDS];
	struct score_mean stated[SCORE_BANDS]; /* belief of each band */
	struct score_mean brier;
	struct score_rate alarms[SCORE_HEALTHY];
};

/* What was named first for what; the most frequent first. */
struct score_confusion {
	struct arena *arena;
	struct score_confused {
		const char *cause, *named; /* NULL: nothing was named */
		unsigned int count;
	} * list;
	size_t count;
};

bool score_is_release(const char *cause);

/* Which of the first steps is of a kind that cured it, from 1; 0: none. */
size_t score_cure_rank(const struct score_answer *a, bool also);

/* A record that nothing is known to cure does not count. */
bool score_has_cure(const struct score_cures *c);
double score_gain(const struct score_answer *a);

/* Which of those named hits, from 1; 0: none. */
size_t score_rank(const struct score_answer *a);

/* The three commonest kinds of cure, and how often printing them always would be right. */
struct score_constant {
	const char *kinds[SCORE_RANKS];
	struct score_rate rate;
};

struct score_constant score_constant(const struct score_cures *const *list, size_t count);

void score_add(struct score *s, const struct score_answer *a);
void score_add_healthy(struct score *s, enum score_healthy what, bool alarm);
struct score_rate score_alarms(const struct score *s); /* of both kinds */

/* What is counted of a group, in the order in which it is told. */
#define SCORE_RATES 10
struct score_named_rate {
	const char *key, *name; /* in JSON, and for people */
	bool of_cures;          /* without labelled cures there is none */
	struct score_rate rate;
};
void score_rates(const struct score *s, enum score_group g,
		 struct score_named_rate ret[static SCORE_RATES]);

void score_confuse(struct score_confusion *c, const struct score_answer *a);
void score_confusion_sort(struct score_confusion *c);

/* Wilson's interval for 95 in a hundred; of a mean, 1.96 of its standard errors. */
void score_interval(struct score_rate r, double *ret_low, double *ret_high);
void score_mean_interval(struct score_mean m, double *ret_low, double *ret_high);
double score_rate_of(struct score_rate r);
double score_mean_of(struct score_mean m); /* 0 of none */

/* The belief stated in a band is one that the observed rate allows; true of an empty one. */
bool score_band_holds(const struct score *s, size_t band);

/* Brier's score of somebody who always states the rate of hit@1. */
double score_brier_base(const struct score *s);

/* One record, with what was said of it. */
struct score_case {
	const char *id;
	struct score_answer answer; /* as it is; its cause is NULL: healthy */
	const char *strength;       /* confirmed, likely, healthy */
	const double *gains;        /* of each presentation; NULL: healthy */
	struct explanation explanation;
};

/*
 * A record whose answer is worse with a true fact, or two, than without: the right cause, or
 * the first step of a kind that cured it, stands further behind.
 */
struct score_fall {
	const char *id;
	const char *facts; /* "gpu_count=2", or two of them */
	struct score_answer before, after;
	bool is_lost; /* it was right and decided, and is wrong now */
};

struct score_facts {
	size_t records; /* that state a fact */
	size_t tried;   /* facts and pairs */
	struct score_fall *falls;
	size_t fall_count, lost;
	size_t reordered; /* pairs whose answer depends on which is stated first */
};

bool score_has_fallen(const struct score_answer *before, const struct score_answer *after);
