#pragma once

/*
 * look - a new verdict of this node
 *
 * The kernel's own files are read by a child that nobody waits for longer than
 * LOOK_MS, whatever a driver does to it. Only causes for which a node is taken
 * out of service are judged, by the same rules as `check`.
 */

#include "context/context.h"
#include "gate/node-verdict.h"

#define LOOK_MS 2000

/*
 * 0, or an exit status; what there is to say is added to `said`, a line each.
 * What could not be read makes causes unknown, and never a finding.
 */
int look_at_node(const struct context_options *o, struct arena *a, struct node_verdict *ret,
		 struct buf *said);

/* What the gate asks of a machine, in place of what the options say. */
struct context_options look_options(const struct context_options *o);

/*
 * The same for the machine that the context has, opened by look_options(), and with these
 * acknowledgements. `said` may be NULL.
 */
int look_at_machine(struct context *c, struct acks *acks, struct arena *a, struct node_verdict *ret,
		    struct buf *said);
