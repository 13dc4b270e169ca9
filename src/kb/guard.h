#pragma once

/*
 * guard - the walls around SQL that somebody else wrote
 *
 * No rule can write, attach, loop or run for long: an authorizer with lists of
 * what may be read and called, small limits, and a budget counted in SQLite's
 * own steps, which are equal on every machine. The progress handler does not
 * fire inside one function call (instr over two megabytes took 42 s), so
 * lengths are limited, and the functions that search are ours and charge the
 * budget by the byte.
 */

#include <sqlite3.h>

#include "base/buf.h"
#include "facts/statements.h"
#include "kb/derive.h"

#define GUARD_STEPS_STATEMENT 100000
#define GUARD_STEPS_RUN       2000000
#define GUARD_ROWS_MAX        2000
#define GUARD_REFUSALS_MAX    64
#define GUARD_LIMITS          11
#define GUARD_TABLES_MAX      128
#define GUARD_TABLE_NAME      64

struct guard_meter;

struct guard {
	sqlite3 *db;
	bool is_on;
	bool keeps;             /* statements, from one guard_resume() to the next */
	struct statements kept; /* of somebody else: none of them is ever one of ours */
	uint64_t steps;         /* of this statement so far */
	uint64_t steps_run;     /* of the whole run */
	uint64_t allowed;       /* for this statement */
	struct buf reads;       /* "table table.column ..." while preparing, if recording */
	bool recording;
	const char *refused;   /* why preparing failed, or NULL */
	char said[160];        /* the words of `refused`, where they name something */
	unsigned int refusals; /* of the whole run: preparing costs time, too */
	unsigned int asked;    /* calls of the authorizer for this statement */
	bool is_theirs;        /* what SQLite works at: between two of them it may be one of ours */
	uint64_t ticks;        /* steps that the progress handler saw */
	uint64_t charged;      /* steps that the searching functions took, besides SQLite's own */
	struct guard_meter *meter;
	char tables[GUARD_TABLES_MAX][GUARD_TABLE_NAME]; /* of the facts: what may be read */
	size_t table_count;
	int limits[GUARD_LIMITS]; /* as they were before */
	int64_t heap;             /* likewise */
	int trusted_schema, defensive;
	struct derive derived; /* what there is of derived-views.sql */
};

/*
 * From here on the connection prepares and runs only what the guard allows.
 * The guard must stay where it is until guard_off. The searching functions
 * (like, glob, instr, replace) stay ours afterwards, with the same answers.
 */
void guard_on(struct guard *g, sqlite3 *db);
void guard_off(struct guard *g);

/*
 * The same in two steps, for many logs: the walls are built once, off, and a
 * flag puts them on and off. To build them or to take them away has SQLite
 * prepare every statement of the connection anew; the flag does not, and what
 * was prepared behind it is kept. Budgets begin anew with each guard_resume().
 * No other guard may come on the connection before guard_off(): it would take
 * these walls along when it goes. Once select_keep() has the connection, that
 * ends the program.
 */
void guard_keep(struct guard *g, sqlite3 *db);
void guard_resume(struct guard *g);
void guard_pause(struct guard *g);

/* Off for statements of our own in between; what was counted so far goes on behind them. */
struct guard_aside {
	uint64_t steps_run;
	unsigned int refusals;
};

struct guard_aside guard_aside(struct guard *g);
void guard_back(struct guard *g, const struct guard_aside *aside);

/* While it stands aside: whether a derived view, of this name, can have no rows. Another one is worked out. */
bool guard_shuts_view(struct guard *g, struct span name);

/*
 * Prepare one evidence statement: a single SELECT of exactly subject, value,
 * source and origin. NULL with the reason in *ret_why (owned by the guard or
 * the connection) if it is none, or reads or calls what is not allowed. With
 * `recording` on, g->reads has what it reads, sorted.
 */
sqlite3_stmt *guard_prepare(struct guard *g, const char *sql, const char **ret_why);

/* The same with other columns; the list ends with NULL. */
extern const char *const guard_advice_columns[];
extern const char *const guard_workaround_columns[];
sqlite3_stmt *guard_prepare_as(struct guard *g, const char *sql, const char *const *columns,
			       const char **ret_why);

/* When its rows are read; with guard_on() it is the same as sqlite3_finalize(). Accepts NULL. */
void guard_end(struct guard *g, sqlite3_stmt *stmt);

/* 1 row, 0 end, -ETIME over its budget, -EIO another error. */
int guard_step(struct guard *g, sqlite3_stmt *stmt);
