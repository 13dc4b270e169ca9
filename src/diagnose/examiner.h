#pragma once

/*
 * examiner - diagnoses of one machine after the other, in the same tables
 *
 * To prepare the statements of the knowledge takes most of a diagnosis. So
 * they, the rules and the guard are kept; between two machines only the rows
 * change (facts_next()). The answers are those of diagnose(); steps may be
 * others, as views that many statements read are always worked out.
 */

#include "diagnose/rules.h"
#include "kb/guard.h"

struct examiner {
	sqlite3 *db;
	struct rules rules;
	struct guard guard;
	struct arena arena; /* of the rules */
};

/* The knowledge is attached, and the schema stays as it is. 0 or -EIO. */
int examiner_open(struct examiner *e, sqlite3 *db);
void examiner_close(struct examiner *e); /* before its tables are freed; also of zeroes */

/* As diagnose() of all causes, but it does not outlive the examiner. 0 or -EIO. */
int examiner_diagnose(struct examiner *e, struct diagnosis *ret);
