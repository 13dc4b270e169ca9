#pragma once

/*
 * derive - the views of derived-views.sql, for those who read one
 *
 * Most runs read none: a node that is ready has no remedy. Where one does, each statement would
 * have SQLite write them out again, so what it reads is worked out once, as temporary tables of the
 * same names: the view that it names and those that the view reads, no others. Where facts change
 * behind the same guard, or what a statement reads is taken down, they stay views.
 */

#include <sqlite3.h>
#include <stdbool.h>

enum derived {
	DERIVED_VIEWS,
	DERIVED_TABLES,
};

struct derive {
	enum derived as;
	unsigned int made; /* a bit for each of words_derived */
};

/* Whether a statement names one that is not there yet. */
bool derive_is_wanted(const struct derive *d, const char *sql);

/* What a statement names, and what that reads; NULL: all of them. */
void derive_make(struct derive *d, sqlite3 *db, const char *sql);
void derive_drop(struct derive *d, sqlite3 *db);
