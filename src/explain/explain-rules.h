#pragma once

/*
 * explain-rules - what explaining reads of the knowledge, whatever the text is
 *
 * The causes with their statements and remedies, and the numbers by which
 * belief is shared. Read once, for any number of texts.
 */

#include "diagnose/rules.h"
#include "explain/belief.h"

struct explain_rules {
	struct rules rules;
	const char **counts_as; /* of each cause: how failures are labelled that are its */
	struct belief_rules belief;
	bool any_bare_defect; /* without a signature */
};

/* Of the attached knowledge. 0 or -EIO. */
int explain_rules_load(sqlite3 *db, struct arena *a, struct explain_rules *ret);
