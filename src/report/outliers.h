#pragma once

/*
 * outliers - what differs between machines that should be alike, in words and as JSON lines
 */

#include "base/buf.h"

struct outliers_class {
	const char *label; /* "8 x AMD Instinct MI300X, Supermicro AS -8125GS-TNMR2" */
	size_t nodes;
};

/* A node with another value than most of its class; or, without a node, that no value is that of most. */
struct outliers_row {
	size_t class; /* in the list */
	const char *fact;
	const char *value;
	const char *most; /* what most have, */
	size_t most_nodes, of_nodes;
	const char *node;
	const char *devices; /* PCI addresses with commas; empty: not known, or not of devices */
};

/* A device that lies far above the others of its class. */
struct outliers_counter {
	size_t class;
	const char *name;
	const char *node, *device;
	double value, median, deviation;
	size_t devices; /* of the class */
};

struct outliers_report {
	const struct outliers_class *classes;
	size_t class_count;
	const struct outliers_row *rows; /* by class, fact, value and node */
	size_t row_count;
	const struct outliers_counter *counters; /* by class and name, the highest first */
	size_t counter_count;
	size_t nodes;
};

void outliers_text(const struct outliers_report *r, struct buf *ret);
void outliers_by_node(const struct outliers_report *r, struct buf *ret);
void outliers_json(const struct outliers_report *r, struct buf *ret); /* an object a line */

/* What differs between two. */
struct outliers_pair {
	const char *fact;
	const char *one, *two;
};

void outliers_pairs_text(const struct outliers_pair *pairs, size_t count, const char *one,
			 const char *two, size_t width, struct buf *ret);
void outliers_pairs_json(const struct outliers_pair *pairs, size_t count, struct buf *ret);
