#pragma once

/*
 * debug - a trace of what the program does, for whoever works on it
 *
 * ROCSTEADY_DEBUG=door,sql names parts of the program; main() alone reads it.
 * Each traced event is one line on standard error:
 *
 *	rocsteady[4711] 0.001204 door: read /proc/cmdline: 112 bytes [34 us]
 *
 * that is the process, the seconds since the start, the part, what happened and
 * how long it took. A part that is off costs one test of `debug_mask`: the
 * arguments are not evaluated, nothing is formatted and no clock is asked.
 *
 * A line names paths, questions, statements, sizes and errors. It never has the
 * content of a file, a line of a log or the value of a variable: people paste
 * traces into public tickets.
 */

#include "base/span.h"

enum debug_part {
	DEBUG_ARCHIVE = 1 << 0,
	DEBUG_CODE = 1 << 1,
	DEBUG_DOOR = 1 << 2,
	DEBUG_PROBE = 1 << 3,
	DEBUG_RUN = 1 << 4,
	DEBUG_SCAN = 1 << 5,
	DEBUG_SQL = 1 << 6,
	DEBUG_ALL = (1 << 7) - 1,
};

#define DEBUG_WORDS "all archive code door probe run scan sql"

extern unsigned int debug_mask; /* read only, through the macros below */

#define DEBUG_ON(part) __builtin_expect((debug_mask & (part)) != 0, 0)

/* When something begins, for the `began` of its line; 0 while the part is off. */
#define DEBUG_NOW(part) (DEBUG_ON(part) ? debug_now() : 0)

/* One line; `began` is 0 for what has no duration. */
#define DEBUG(part, began, ...)                                   \
	do {                                                      \
		if (DEBUG_ON(part))                               \
			debug_line((part), (began), __VA_ARGS__); \
	} while (0)

/* The bits of one of the words above, or 0. */
unsigned int debug_parts(struct span word);

/* The time of the lines counts from here. */
void debug_start(unsigned int parts);

/*
 * From here on a line is written only where `is_ready` says that standard error
 * takes it at once; else it is dropped, and the next line says how many were. For
 * the keeper of a job, which must not wait for whoever reads its trace.
 */
void debug_never_wait(bool (*is_ready)(void));

/* Functions of the macros. errno is left as it was, and no memory is allocated. */
uint64_t debug_now(void); /* in nanoseconds */
void debug_line(enum debug_part part, uint64_t began, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
