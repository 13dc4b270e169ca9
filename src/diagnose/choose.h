#pragma once

/*
 * choose - which checks count
 *
 * By the names of causes or of what they are about (gpu, link, environment),
 * with commas. Every check is made, so that what explains what is known; those
 * that were not chosen are then left out of the findings, and of the verdict.
 */

#include "diagnose/diagnose.h"

struct choose {
	const char *only; /* NULL: all */
	const char *skip; /* NULL: none */
};

/* A condition on a row of kb.cause; choose_bind gives it its values. */
#define CHOOSE_NAMES(list)                                                     \
	"(instr(',' || replace(" list ", ' ', '') || ',', ',' || slug || ',')" \
	" OR instr(',' || replace(" list ", ' ', '') || ',', ',' || scope || ','))"
#define CHOOSE_SQL                                                                             \
	"(:only IS NULL OR " CHOOSE_NAMES(":only") ")"                                         \
						   " AND (:skip IS NULL OR NOT " CHOOSE_NAMES( \
							   ":skip") ")"

void choose_bind(sqlite3_stmt *stmt, const struct choose *c);

/* Leaves out what is not chosen, and judges again; how many checks is d->left_out. */
void choose_checks(sqlite3 *db, const struct choose *c, struct diagnosis *d);
