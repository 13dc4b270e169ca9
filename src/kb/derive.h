#pragma once

/*
 * derive - the views of derived-views.sql, for those who read one
 *
 * Most runs read none: a node that is ready has no remedy. Where one does, each statement would
 * have SQLite write them out again, so what it reads is worked out once, as temporary tables of the
 * same names: the view that it names and those that the view reads, no others. Where what a
 * statement reads is taken down, they stay views. Where one log comes after the other, the tables
 * are made once, empty, and filled for each log: a table that is made or dropped has SQLite
 * prepare every statement anew. A view of which no gate is open is an empty table, and what it
 * would read is not worked out either.
 */

#include <sqlite3.h>
#include <stdbool.h>

#include "base/arena.h"
#include "base/map.h"
#include "kb/gate.h"

#define DERIVED_MAX 32

enum derived {
	DERIVED_VIEWS,
	DERIVED_TABLES,
	DERIVED_KEPT,
};

/* A bit of a mask stands for each of words_derived. */
struct derive {
	enum derived as;
	unsigned int made; /* or filled, if the tables are kept */
	struct kept_view {
		unsigned int reads; /* of those before it */
		const char *empty, *fill;
	} kept[DERIVED_MAX];
	struct gates gates; /* of these facts */
	struct map names;   /* what a statement names, by its text: a mask */
	struct arena arena;
};

/* All of them, as tables that stay and are empty. */
void derive_keep(struct derive *d, sqlite3 *db);

/* The facts of which the kept tables were filled, and the gates read, are gone. */
void derive_forget(struct derive *d);

/* Whether a statement names one that is not there yet. */
bool derive_is_wanted(struct derive *d, const char *sql);

/* Whether the view of this name can have no rows by its gates. Another one is worked out, to be looked at. */
bool derive_is_shut(struct derive *d, sqlite3 *db, struct span name);

/* What a statement names, and what that reads; NULL: all of them. */
void derive_make(struct derive *d, sqlite3 *db, const char *sql);
void derive_drop(struct derive *d, sqlite3 *db);
