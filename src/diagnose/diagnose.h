#pragma once

/*
 * diagnose - what is wrong, from facts and knowledge alone
 *
 * A pure function of the two: no file, no clock, no environment; the same
 * input gives the same findings in the same order. Each piece of evidence is
 * yes, no or unknown; its weight in decibans adds to the cause's prior; words
 * come from the sum, and the sum can be shown line by line.
 */

#include <sqlite3.h>

#include "base/arena.h"
#include "diagnose/sign.h"
#include "kb/scale.h"

struct remedy {
	const char *id;
	const char *title;
	const char *steps;   /* lines; a command line begins with four blanks */
	const char *windows; /* its steps on Windows; empty: not offered there; NULL: the same */
	const char *wsl;     /* the same for WSL */
	const char *acts;    /* what it does, blank-separated, for diagnose/act.h; or NULL */
	const char *risk;
	const char *verify; /* command */
	const char *sql;    /* offered where it has rows; NULL: always */
	const char *gate;   /* what must be there for it to have any, or NULL */
	const char *needs;  /* what must be so before, or NULL */
	const char *changes;
	const char *undo;
	int minutes;
	const char *subject; /* of the row that filled it in; NULL: nothing was */
	const char *value;
	const char *kinds; /* of cure, blank-separated; empty: it only looks */
	bool gives_gpu_up; /* computes on the CPU instead: never the first step */
	const char
		*unchecked; /* why its source could not be checked, or NULL: never the first step */
	bool general;       /* its form for a machine of which nothing is known */
	bool for_windows;   /* its steps are those of Windows, as PowerShell has them */
	const char *job;    /* the command of the text that its steps hold, or NULL */
};

/* Where a finding stands in every report: this is also their order. */
enum section {
	SECTION_CAUSE,
	SECTION_CONSEQUENCE,
	SECTION_UNDECIDED,
	SECTION_ACKNOWLEDGED,
	SECTION_NOTE,
	SECTION_MYTH,
	SECTION_SILENT, /* undecided, and of no weight: only with --verbose */
	SECTIONS,
};

struct finding {
	const char *cause;
	const char *subject; /* PCI address, path, unit; empty for the machine */
	const char
		*name; /* what people call it: "GPU 5 (MI300X, 0000:a7:00.0)"; else the subject */
	const char *title; /* filled in */
	const char *story;
	const char *kind; /* cause, consequence, myth */
	const char *scope;
	const char *severity; /* info, if acknowledged */
	const char *action;
	const char *repair;       /* what a controller may start, or NULL */
	const char *undecided;    /* what would decide it, or NULL */
	const char *because_of;   /* slug of the finding that explains this one, or NULL */
	const char *acknowledged; /* the reason, or NULL; then also the three below */
	const char *acknowledged_by;
	const char *acknowledged_until; /* 2027-01-31 */
	const char *severity_before;
	enum belief belief;
	bool holds;           /* likely or certain */
	enum section section; /* up to SECTION_CONSEQUENCE something is wrong */
	int prior;
	int sum;  /* decibans */
	int most; /* the sum if every unknown evidence were yes */
	int least; /* the sum if every unknown that rules it out were yes; belief is taken from this */
	struct sign *signs;
	size_t sign_count;
	const struct remedy **remedies; /* best first */
	size_t remedy_count;
};

/* One cause as a check. */
enum check_state { CHECK_OK, CHECK_PROBLEM, CHECK_UNDECIDED, CHECK_NOT_APPLICABLE, CHECK_CRASHED };

struct check {
	const char *cause;
	enum check_state state;
	uint64_t steps;    /* of SQLite: the same on every machine */
	const char *error; /* of a crashed one */
	bool later;        /* it crashed because it is for a later program */
	bool by_class;     /* some of its evidence waits for what is expected of this machine */
	bool is_blind;     /* nothing speaks for it, and what would have could not be read */
};

enum verdict { VERDICT_READY, VERDICT_DEGRADED, VERDICT_NOT_READY, VERDICT_UNDECIDED };

struct diagnosis {
	struct arena arena;
	struct finding *findings; /* what holds, then its consequences, then what is undecided;
				     each by severity, then by sum */
	size_t finding_count;
	struct check *checks; /* by slug */
	size_t check_count;
	size_t left_out;         /* checks that were made and not chosen */
	size_t later;            /* of the checks: those for a later program */
	size_t later_statements; /* that these do not understand */
	enum verdict verdict;
	const char *
		blind; /* why it is not known which GPUs there are, or NULL: then it is undecided */
	const char *late;     /* why not everything was asked, or NULL: then it is undecided, too */
	const char *untested; /* why a walk of probes could not tell, or NULL; the same */
	size_t crashed;       /* of the checks, but for those of a later program; the same */
	bool problem_open;    /* a problem-level cause stays above one in five: exit status 3 */
	size_t statements;    /* of evidence */
	size_t prepared;      /* of those; the rest was answered by a gate or could not matter */
};

/*
 * `db` holds the facts, with the knowledge attached as "kb". `only` is one
 * cause to weigh (for --why), or NULL for all; with it, findings hold every
 * candidate subject even below the line. 0; -ENOENT if there is no such cause;
 * -EIO if the knowledge cannot be read.
 */
int diagnose(sqlite3 *db, const char *only, struct diagnosis *ret);

/* The same for those causes alone for which a node is taken out of service. 0 or -EIO. */
int diagnose_node(sqlite3 *db, struct diagnosis *ret);

void diagnose_done(struct diagnosis *d);

/* Sections, order and verdict once more, after somebody changed a severity. */
void diagnose_judge(struct diagnosis *d);

/* The first finding that says something is wrong with this very subject, or NULL. */
const struct finding *diagnose_wrong_with(const struct diagnosis *d, const char *subject);

/* Severity of the worst thing wrong with a device or a partition of it, or NULL. */
const char *diagnose_device_severity(const struct diagnosis *d, const char *address);

const char *diagnose_verdict_name(enum verdict verdict);
const char *diagnose_state_name(enum check_state state);

/* 0 ready, 1 degraded, 2 not ready, 3 undecided. */
int diagnose_exit_status(enum verdict verdict);
