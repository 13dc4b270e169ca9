#pragma once

/*
 * lint - what knowledge must keep to beyond its form
 *
 * Statements are prepared behind the same guard as at run time, against the
 * schema of the facts; what they read is taken from SQLite. On a machine of
 * which nothing is known none of them may say yes unless it declares that it
 * concludes from absence.
 */

#include <sqlite3.h>

#include "base/arena.h"
#include "kb/faults.h"

struct lint_statement {
	const char *cause;
	const char *id;
	const char *file;
	unsigned int line;
	const char *sql;
	const char *gate; /* or NULL */
	bool absence;
	const char *reads; /* set by lint_statements */
	uint64_t steps;    /* set by lint_run */
	bool shut;         /* likewise: the gate has no rows there */
};

/* Every statement of the attached knowledge: evidence, and what remedies wait for. */
size_t lint_load(sqlite3 *db, struct arena *arena, struct lint_statement **ret);

/* On a database without any fact: form, guard, absence, gate. */
void lint_statements(sqlite3 *db, struct arena *arena, struct lint_statement *list, size_t count,
		     struct faults *faults);

/* What advice statements must keep to: the guard, their columns, and that they read the wish. */
void lint_advice(sqlite3 *db, struct faults *faults);

/* What workarounds must keep to: the guard, their columns, variables that somebody reads. */
void lint_workarounds(sqlite3 *db, struct faults *faults);

/* What patterns must keep to: work that grows with the line and not with its square. */
void lint_patterns(sqlite3 *db, struct faults *faults);

/* On a real machine: the budgets, and that no gate hides a row. Steps are kept. */
void lint_run(sqlite3 *db, struct lint_statement *list, size_t count, struct faults *faults);

/* True if the statement has words that conclude from something not being there. */
bool lint_is_absence(const char *sql);

/* Texts: the first thing wrong with one, or NULL. `holes` are the names allowed in braces. */
const char *lint_holes(const char *text, const char *const *holes);
const char *lint_claims(const char *text); /* percentages that nobody counted */
const char *lint_steps(const char *text);  /* commands that destroy */
