#pragma once

/*
 * latch - a node at which the brake held waits for a person
 *
 * One small file beside the verdict: the digest of the gate.conf of that moment,
 * and why. A person removes it; another gate.conf, rolled out to all nodes,
 * resets every latch at once. It is of this boot.
 */

#include "gate/node-verdict.h"

#define LATCH_FILE "latched"
#define LATCH_MAX  ((size_t)512)

/* Whether the site wants latches and this node is latched; then why is added. */
bool latch_holds(const char *verdict, const struct node_verdict *v, struct buf *why);

/* What cannot be written is said, a line each. */
void latch_set(const char *verdict, const struct node_verdict *v, const char *why,
	       struct buf *said);
