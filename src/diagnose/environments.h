#pragma once

/*
 * environments - which of the environments found would work on the GPUs here
 *
 * One for each environment and framework, with the device that it serves best;
 * what works comes first, of that what is in use. Frameworks that only help
 * another one have no line of their own.
 */

#include <sqlite3.h>

#include "base/arena.h"

enum environment_verdict {
	ENVIRONMENT_RUNS,
	ENVIRONMENT_PARTLY,
	ENVIRONMENT_UNKNOWN,
	ENVIRONMENT_NOT,
};

struct environment {
	const char *prefix;
	const char *framework, *version; /* version may be empty */
	enum environment_verdict verdict;
	const char *why;    /* in words */
	const char *device; /* target id */
	bool used;          /* by the judged process or a service */
	int64_t libraries;  /* with device code, that it would load */
	int64_t served;     /* of them: those with code for the device */
};

struct environments {
	struct environment *list; /* best first */
	size_t count;
	size_t working; /* of them: those that run, at least in part; they come first */
};

/* From the view environment_fit; nothing is found where it cannot be read. */
void environments_rank(sqlite3 *db, struct arena *a, struct environments *ret);

/* runs, partly, unknown, not */
const char *environment_verdict_name(enum environment_verdict verdict);
