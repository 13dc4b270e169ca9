#pragma once

/*
 * check-many - every snapshot of a directory judged
 *
 * One knowledge, and as many processes as there are processors; the answers
 * are in the order of the nodes' names. One that cannot be read is said,
 * counted and as unclear as what is not known.
 */

#include "cli/options.h"
#include "context/context.h"

/* `context` has the knowledge and no machine. Returns the exit status: the worst of all nodes. */
int check_many(const struct options *o, struct context *context, struct acks *acks);
