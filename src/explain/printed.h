#pragma once

/*
 * printed - which software's source holds the words of a line
 *
 * kb.printable has digests of what sources can print: errors and warnings. Of
 * a line each 16 bytes from the beginning of a word on are looked up, and what
 * is found there is held against all of its bytes. It is asked for single
 * lines that have failed and that nothing else knows, so it costs a log
 * nothing. Of several texts in a line the longest tells most.
 */

#include <sqlite3.h>
#include <stdbool.h>

#include "base/arena.h"

struct printed {
	const char *component;
	const char *address; /* of its issues */
	const char *handled; /* what is done about it: printed-HANDLED of data/origin-words.tsv */
	const char *path;    /* of the file in its repository */
	bool is_error;       /* else a warning */
	const char *since;   /* the revision in which it is new, or NULL: older ones had it */
	const char *until;   /* the last revision that has it, or NULL: the newest has it */
};

enum printed_from { PRINTED_ANY, PRINTED_NATIVE }; /* from any file, or from none of Python's */

bool printed_find(sqlite3 *db, struct arena *arena, struct span line, enum printed_from from,
		  struct printed *ret);
