#pragma once

/*
 * gate-probe - a walk of level 1 for the verdict of this node
 *
 * The GPUs are tested only while no process has them open, by a child, and for no longer than
 * GATE_PROBE_S. A walk that was not made says why, and what an earlier one found stays.
 */

#include "cli/options.h"
#include "gate/node-verdict.h"

#define GATE_PROBE_S 30

/* A test that was not made is said and leaves `ret` empty. */
void gate_probe(const struct options *o, struct arena *a, struct node_test *ret);
