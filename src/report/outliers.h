#pragma once

/*
 * outliers - what differs between machines that should be alike, in words and as JSON lines
 */

#include "base/buf.h"

struct outliers_class {
	const char *label; /* "8 x AMD Instinct MI300X, Supermicro AS -8125GS-TNMR2" */
	size_t nodes;
};

/* A node with another value than most of its class. */
struct outliers_row {
	size_t class; /* in the list */
	const char *fact;
	const char *value;
	const char *most; /* what most have, */
	size_t most_nodes, of_nodes;
	const char *node;
};

struct outliers_report {
	const struct outliers_class *classes;
	size_t class_count;
	const struct outliers_row *rows; /* by class, fact, value and node */
	size_t row_count;
	size_t nodes;
};

void outliers_text(const struct outliers_report *r, struct buf *ret);
void outliers_json(const struct outliers_report *r, struct buf *ret); /* an object a line */

/* What differs between two. */
struct outliers_pair {
	const char *fact;
	const char *one, *two;
};

void outliers_pairs_text(const struct outliers_pair *pairs, size_t count, const char *one,
			 const char *two, size_t width, struct buf *ret);
void outliers_pairs_json(const struct outliers_pair *pairs, size_t count, struct buf *ret);
