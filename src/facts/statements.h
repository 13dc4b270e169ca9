#pragma once

/*
 * statements - prepared once, for whoever asks the same again and again
 *
 * To prepare a statement takes ten times as long as to run it over the few rows
 * of a log. Each is found by its text. One that is at work is not given out a
 * second time; whoever needs it then prepares one more.
 */

#include <sqlite3.h>

#include "base/map.h"

/* Enough for all of ours and of the knowledge; what comes later is prepared each time. */
#define STATEMENTS_MAX   2048
#define STATEMENTS_BYTES ((size_t)32 << 20)

struct statements {
	struct map by_text, by_handle;
	struct statement *first;
	size_t count, bytes;
};

/* One that is kept, without values and before its first row; NULL: none, or it is at work. */
sqlite3_stmt *statements_take(struct statements *s, const char *text);

/* One that was just prepared, and is at work. False: there is no room, and it stays the caller's. */
bool statements_add(struct statements *s, sqlite3_stmt *stmt);

/* It was taken or added, and its work is done. False: it is none of these, and stays the caller's. */
bool statements_put(struct statements *s, sqlite3_stmt *stmt);

/* Before the connection is closed. */
void statements_done(struct statements *s);
