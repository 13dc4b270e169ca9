#pragma once

/*
 * trail - who was taken out of service, when, why and by which versions
 *
 * A line of JSON for each change: of the verdict (`verdict`), and of the node in
 * Slurm (`drained`, `released`, `taken`, `returned`), or that the brake kept it from
 * being drained (`latched`). The verdict's states are none (there was
 * no verdict), open, observed (a fault that the site does not enforce), closed
 * and unknown. Lines are gathered, and then kept in a bounded file.
 */

#include "gate/node-verdict.h"

#define TRAIL_DIR  "/var/log/rocsteady/" /* of the verdict of this host */
#define TRAIL_FILE "gate.jsonl"          /* else beside the verdict */
#define TRAIL_MAX  ((size_t)512 * 1024)  /* bytes; then it becomes gate.jsonl.1 */

struct trail {
	const char *node; /* what the cluster calls it */
	uint64_t now_s;   /* since 1970 */
	struct buf lines;
};

/* A line, if the state, a finding, a version or the configuration is another one; `earlier` may be NULL. */
void trail_verdict(struct trail *t, const struct node_verdict *earlier,
		   const struct node_verdict *v);

struct trail_act {
	const char *event; /* drained, released, taken, returned, latched */
	struct span cause, subject;
	struct span reason; /* that stands in Slurm, or stood there */
	const char *by;     /* gate, or who gave the reason that stands there now */
	const char *why;    /* NULL: the cause says it */
};

void trail_act(struct trail *t, const struct node_verdict *v, const struct trail_act *act);

/* Where the trail of such a verdict is: the path of a neighbour. */
const char *trail_place(const char *verdict);

/* Adds the lines to the file; what cannot be written is said. */
void trail_keep(const struct trail *t, const char *verdict, struct buf *said);

void trail_done(struct trail *t);
