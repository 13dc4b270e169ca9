#pragma once

/*
 * explain - which cause explains what went wrong
 *
 * Where `check` judges each cause by itself, a failure has one: belief is
 * shared among the causes that something speaks for, and "none that we know".
 * What a log says counts by its signatures (each further line of the same
 * failure half as much), known defects by the versions and targets they ask
 * for, and facts by the same statements as in `check`.
 */

#include <sqlite3.h>

#include "diagnose/diagnose.h"
#include "diagnose/steps.h"
#include "explain/failure.h"

struct defect_fit;
struct explain_rules;
struct guard;

struct explain_cause {
	const char *cause;
	const char *counts_as; /* what failures are called that were labelled without its name */
	const char *title;
	const char *headline; /* the same in words of this text; NULL: the title */
	const char *story;
	const char *kind;
	const char *scope;
	const char *severity;
	const char *undecided;
	const char *tells; /* what the command in `undecided` shows, or NULL */
	int share;         /* decibans before anything was said */
	int sum;
	double belief;      /* 0..1 */
	struct sign *signs; /* the strongest first */
	size_t sign_count;
	const char *subject; /* of the facts that speak for it, or empty */
	const struct remedy *
		*remedies; /* if it is one of those that the answer may take steps from */
	size_t remedy_count;
	const char *cure;                /* of a known defect, or NULL */
	const struct defect_fit *cured;  /* that defect, or NULL */
	const struct defect_fit *defect; /* the strongest of those that fit, or NULL */
	const char *thread;              /* an address about the line that speaks most, or NULL */
	bool is_bare;                    /* the log shows another cause, and not this one */
	bool found;                      /* `check` would find it by the facts alone */
};

/* What was said of the machine, by the text or by whoever asks. */
struct explain_fact {
	const char *name; /* gfx, gpu, torch, rocm, kernel, os, container, ..., env:NAME */
	const char *value;
	const char *version; /* the number in it, or NULL */
	const char *source;
	const char *origin; /* log or stated */
};

/* What is known of a setting that the text or the machine shows: "pci=noaer", "hides the error ...". */
struct explain_setting {
	const char *what, *says;
	const char *source;
};

struct explain_event {
	const char *signature;
	const char *kind;
	const char *says; /* filled in */
	const char *text;
	const char *source;
	const char *program; /* whose line it is, by the signature */
	long long line, last_line, count;
};

/* Something to do: the cure of a known defect, a remedy, or what helps with an unknown failure. */
struct explain_step {
	const struct explain_cause *cause; /* for which it is; NULL: nobody knows */
	const char *cure;                  /* or NULL */
	const struct remedy *remedy;       /* or NULL */
	const char *kinds;                 /* of cure, blank-separated; empty: it only looks */
	const char *says, *typed;          /* without a cause: a sentence, and a command or NULL */
};

/* Causes that look alike here: none of them is decided, all of them together are. */
struct explain_family {
	const char *name;
	const char *title;
	const struct remedy *remedy;          /* the step that tells them apart */
	double belief;                        /* in all of them together */
	const struct explain_cause **members; /* that something speaks for, by belief */
	size_t member_count;
};

/* A command that changes nothing and tells the possible causes apart: it comes before any step. */
struct explain_look {
	const char *says, *typed; /* NULL: there is none */
	const char *tells;        /* what to read in the output, or NULL */
};

/* By what causes are named. */
enum explain_basis {
	EXPLAIN_BY_LINES,
	EXPLAIN_BY_WORDS, /* of a report alone: report-words.h */
	EXPLAIN_BY_KIND,  /* of failure, for no line is known: unheard.h */
};

struct explanation {
	struct arena arena;
	struct explain_cause *causes; /* by belief; at the end those that nothing speaks for */
	size_t cause_count;
	size_t spoken;                       /* causes that something speaks for */
	double unknown;                      /* belief in none of these */
	enum belief word;                    /* of what is named; nothing: no failure was found */
	const struct explain_family *family; /* that is named; NULL: the first cause is */
	/* What a person sees go wrong, where nothing tells why: it is named, and no cause is. Or NULL. */
	struct explain_cause *symptom;
	bool is_symptom_of_line; /* a program's line shows it: its words are the headline */
	bool cause_leads; /* more than words speaks for the first cause: its first step comes first */
	bool is_made_good;    /* the text shows a failure, and behind it that work went on */
	bool is_contradicted; /* the machine speaks against every cause that a line spoke for */
	enum explain_basis basis;
	struct explain_look first_look;
	size_t look;                  /* the step that tells its members apart, counted from 1 */
	struct explain_event *events; /* in the order of the log, one for each signature */
	size_t event_count;
	const struct explain_event *first; /* the first failure, or NULL */
	const char *first_says;            /* its sentence as a headline: no word fills a screen */
	struct explain_setting *settings; /* the worst first; none of them is the cause by itself */
	size_t setting_count;
	struct explain_step *steps; /* the best first */
	size_t step_count;
	const struct failure *failure; /* how the text ends, or NULL: nobody looked */
	const char *job;               /* the command that the text shows, or NULL */
	struct explain_fact *facts;    /* by name */
	size_t fact_count;
	struct defect_fit *defects; /* that fit, the strongest first (explain/defects.h) */
	size_t defect_count;
};

/*
 * `db` holds statements, events and the knowledge. What else there is was made before, for
 * several texts (explain/engine.h), and outlives their explanations.
 */
struct explain_means {
	sqlite3 *db;
	const struct explain_rules *rules; /* NULL: they are read */
	struct guard *guard; /* that is kept on the connection (guard_keep()), or NULL */
	const struct explanation *weighed; /* what the tables say, by explain_weigh(), or NULL */
	bool steps_alone; /* remedies only of causes from which the answer takes steps */
};

/* `failure` tells how the text ends, outlives the explanation, and may be NULL. 0 or -EIO. */
int explain(const struct explain_means *with, const struct failure *failure,
	    struct explanation *ret);

/* What the tables say, without a verdict. 0 or -EIO. */
int explain_weigh(const struct explain_means *with, struct explanation *ret);
void explain_done(struct explanation *e);

/* For people: a line of standard input is "line 12" and not "input:12", which no file is called. */
void explain_name_lines(struct explanation *e);

/* Of what is named: the family, or the first cause. Something speaks for it. */
const char *explain_title(const struct explanation *e);
const char *explain_says(const struct explanation *e); /* with what was seen, where it is general */
const char *explain_name(const struct explanation *e);
