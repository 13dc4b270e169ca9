#pragma once

/*
 * defects - known faults of releases that fit what was said and seen
 *
 * A defect asks for signatures, versions and targets. What contradicts one
 * condition rules it out; what nobody said is left open and counts less.
 */

#include "explain/explain.h"

struct defect_fit {
	const char *id;
	const char *cause;
	const char *title;
	const char *cure;      /* NULL: too little is known of what it asks for */
	const char *how;       /* steps below the sentence of the cure, or NULL */
	const char *kinds;     /* of its cure, blank-separated */
	const char *source;    /* of the line that shows it, or of the statement */
	const char *fixed_in;  /* the first release without it, or NULL */
	const char *reference; /* where it is known from: the first address, or words */
	const char *gpu;    /* the target that it asks for and where it is known from, or empty */
	const char *unsaid; /* what it asks for and nobody said: "kernel, gfx"; or empty */
	const char *
		beyond; /* behind the last release that was seen to have it: "rocm 7.3"; or empty */
	const char *unchecked; /* why its source could not be checked, or NULL */
	bool is_unproven;      /* it fits a range whose end nothing confirms, or is not checked */
	int weight;
};

/* Those that fit, strongest first. 0 or -EIO. */
int defects_find(sqlite3 *db, bool any_bare, struct arena *arena, struct defect_fit **ret,
		 size_t *ret_count);

/* Whether the knowledge has a defect without a signature. */
bool defects_any_bare(sqlite3 *db);
