#pragma once

/*
 * check-nodes - the verdicts of many machines, a line each, and their sum
 */

#include "base/buf.h"

enum check_nodes_answer { /* a verdict of diagnose.h, or none */
			  CHECK_NODES_READY,
			  CHECK_NODES_DEGRADED,
			  CHECK_NODES_NOT_READY,
			  CHECK_NODES_UNDECIDED,
			  CHECK_NODES_UNREAD,
			  CHECK_NODES_ANSWERS,
};

struct check_nodes {
	size_t nodes;
	size_t answers[CHECK_NODES_ANSWERS];
};

struct check_report;

/* Verdict and what is wrong, as one line of JSON: at most 300 bytes for a node that is ready. */
void check_nodes_json(const struct check_report *r, struct buf *ret);

void check_nodes_line(const char *node, const char *sentence, struct buf *ret);
void check_nodes_sum(const struct check_nodes *n, struct buf *ret);
