#pragma once

/*
 * klog - what a line of the kernel log means
 *
 * The meanings stand in a table (data/kernel-log.tsv), not in code: class,
 * severity, action, pattern and source, separated by tabs. A pattern is literal
 * text with holes: "ring {ring} timeout, but soft recovered". It may stand
 * anywhere in the line, and the first matching row of the table wins.
 *
 * Classes are names for life: knowledge and reports refer to them.
 */

#include "base/arena.h"
#include "base/span.h"

#define KLOG_ROWS_MAX  512
#define KLOG_HOLES_MAX 8
#define KLOG_LINE_MAX  4096 /* bytes of a line that are looked at; printk writes 1024 */

enum klog_severity {
	KLOG_INFO,
	KLOG_WARNING,
	KLOG_PROBLEM,
};

/* The action for the line when nothing else is known; only KLOG_INFO needs none. */
enum klog_action {
	KLOG_NOTHING,
	KLOG_NOTE, /* a job or a moment is concerned, and the node stays in use */
	KLOG_DRAIN,
	KLOG_REBOOT,
	KLOG_REPLACE,
};

struct klog_row {
	struct span class;
	struct span pattern;
	struct span source;
	enum klog_severity severity;
	enum klog_action action;
	unsigned int line; /* of the table */

	/* Hole i stands between literal i and literal i + 1; the outer two may be empty. */
	unsigned int holes;
	struct span literals[KLOG_HOLES_MAX + 1];
	struct span names[KLOG_HOLES_MAX];

	struct span anchor; /* the longest literal */
	uint16_t next;      /* another row whose anchor falls into the same slot, + 1 */
};

#define KLOG_SLOTS 4096

struct klog_table {
	struct klog_row *rows;
	size_t count;
	size_t window; /* bytes of each anchor that the search uses */
	uint8_t skip[KLOG_SLOTS];
	uint16_t first[KLOG_SLOTS];
};

struct klog_flaw {
	unsigned int line;
	const char *why; /* static text */
};

/*
 * Rows and search tables go into the arena; their spans borrow `text`. Empty
 * lines and lines that begin with '#' are skipped. Anything else that is not a
 * good row refuses the whole table: -EINVAL, or -E2BIG past KLOG_ROWS_MAX, with
 * the place in *ret_flaw (untouched on success). Without ret_flaw rows are not
 * compared with each other, which costs their square: the table of the program
 * itself was compared when its knowledge was compiled.
 *
 * A pattern needs a literal of 10 bytes, or two that are 14 together. Holes
 * have names of [a-z0-9_], differ within a row, and never touch each other.
 * All rows of one class have one severity and one action.
 */
int klog_table_parse(struct arena *arena, struct span text, struct klog_table **ret,
		     struct klog_flaw *ret_flaw);

struct klog_match {
	const struct klog_row *row;
	struct span values[KLOG_HOLES_MAX]; /* parallel to row->names */
};

/*
 * Class one line, the prefix of a log file stripped or not. A hole takes the
 * shortest run, possibly empty, up to the next literal; a first hole begins at
 * the start of the line, a last hole ends at its end. Nothing after a newline
 * is looked at.
 */
bool klog_class(const struct klog_table *table, struct span line, struct klog_match *ret);

/* The text of a hole; data is NULL if the row has no hole of that name. */
struct span klog_value(const struct klog_match *match, const char *name);

const char *klog_severity_name(enum klog_severity severity);
const char *klog_action_name(enum klog_action action);
