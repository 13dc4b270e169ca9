#pragma once

/*
 * proc-stat - /proc/PID/stat, and that of a thread
 *
 *	1234 (python3) S 1 1234 1234 0 -1 4194304 ...
 *
 * The name is the program's own choice and may hold anything, also `) R 1`:
 * the last parenthesis ends it.
 */

#include "base/span.h"

struct proc_stat {
	struct span name; /* at most 15 bytes of the program's; of the kernel's up to 63 */
	char state;       /* R S D T t Z X I */
	uint64_t parent, session;
	uint64_t ticks;       /* of the processor, utime and stime */
	uint64_t child_ticks; /* of the children that were waited for */
	uint64_t threads;
	uint64_t start; /* ticks after boot */
	uint64_t rss;   /* pages */
};

/* False if a field is missing, or is no number. */
bool proc_stat_parse(struct span text, struct proc_stat *ret);
