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

/* Rows of the chosen checks: check, scope, severity, title. */
sqlite3_stmt *choose_list(sqlite3 *db, const struct choose *c);

/* Of these names, causes that have no check: only a log shows them. A column with the name. */
sqlite3_stmt *choose_without_check(sqlite3 *db, const char *names);

/* Leaves out what is not chosen, and judges again; how many checks is d->left_out. */
void choose_checks(sqlite3 *db, const struct choose *c, struct diagnosis *d);
