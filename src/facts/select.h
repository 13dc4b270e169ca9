#pragma once

/*
 * select - the rows that our own statements give
 *
 * A statement of ours over tables of ours fails for want of memory, or because
 * what it reads is damaged. Then there is no row, which is not the same as
 * that there are none. Those who ask go on, as one reads a stream to its end;
 * the first failure is kept, and whoever decides or answers asks for it once,
 * as with ferror(3). A statement that somebody else wrote is kb/guard's.
 */

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>

/* NULL if it cannot be prepared, which is kept; `sql` NULL is one that did not fit into memory. */
sqlite3_stmt *select_from(sqlite3 *db, const char *sql);

/*
 * The same for one that is asked for every log of many. On the connection that
 * select_keep() named it is prepared once; elsewhere each time. It is ended by
 * select_done() and never by sqlite3_finalize().
 */
sqlite3_stmt *select_kept(sqlite3 *db, const char *sql);
void select_done(sqlite3_stmt *stmt); /* accepts NULL */

/* The same where a failure is somebody else's: it is returned, and not kept. */
int select_try(sqlite3 *db, const char *sql, sqlite3_stmt **ret);

/* Two connections at a time; each lets go before it is closed. */
void select_keep(sqlite3 *db);
void select_let_go(sqlite3 *db); /* of another connection, or of none: nothing */
bool select_is_kept(const sqlite3 *db);

/* The next row; false after the last one, of NULL, and after a failure. */
bool select_next(sqlite3_stmt *stmt);

/* The one number that a statement gives, as of count(*); 0 if it gives none. */
size_t select_count(sqlite3 *db, const char *sql);

/* Whether there is such a table, of those that not every database has. */
bool select_has(sqlite3 *db, const char *schema, const char *table);

/* Statements without rows; the same. */
bool select_exec(sqlite3 *db, const char *sql);

/* One statement without rows that is asked for every log of many, as select_kept(). */
void select_run(sqlite3 *db, const char *sql);

/* Keeps what SQLite answered, if it is a failure and the first one. */
void select_note(sqlite3 *db, int result);

/* The first failure: a result of SQLite or 0, and in words. */
int select_error(void);
const char *select_failure(void);

/* For a failure of another user's file, which was refused, and for the end of a test. */
void select_forget(void);
