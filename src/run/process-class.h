#pragma once

/*
 * process-class - what a process does or waits for, by the text of one look
 *
 * Pure. The classes stand in data/process-classes.tsv: the first whose conditions (base/rules.h)
 * hold. Where the first thread waits for a child, what the child waits for decides.
 */

#include "base/arena.h"
#include "base/span.h"

enum process_kind { PROCESS_WORKS, PROCESS_STUCK, PROCESS_UNCLEAR };

struct process_class {
	struct span name, says;
	enum process_kind kind;
	const char *step;     /* with the process filled in */
	long long pid, focus; /* that was asked about; whose waiting decides */
	long long look_ms;
	struct span focus_name;
	struct span wait; /* where its first thread sleeps in the kernel, or empty */
	long long cpu_ms, read_kib, rss_kib, grown_kib; /* of all */
	size_t processes;
	bool is_whole; /* the look came to its end, and nothing was left out */
};

/* False: it is no such text. Spans are of the text. */
bool process_class_of(struct span look, struct arena *a, struct process_class *ret);
