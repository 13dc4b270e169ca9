#pragma once

/*
 * slurm-text - what Slurm's programs print of a node, and the reason that we give
 *
 *	NodeName=n1 Arch=x86_64 CoresPerSocket=1
 *	   State=IDLE+DRAIN ThreadsPerCore=1 TmpDisk=0 ...
 *	   Reason=rocsteady: gpu-missing 0000:c5:00.0: drain (boot 3d4c8f0e) [root@2026-11-16T21:05:23]
 *
 *	n1|drained*|root|1795098226|rocsteady: gpu-missing 0000:c5:00.0: drain (boot 3d4c8f0e)
 *
 * Only a reason with our leader is ever changed by us.
 */

#include "base/buf.h"
#include "gate/node-verdict.h"

#define SLURM_LEADER "rocsteady: "

struct slurm_node {
	bool draining;      /* or drained */
	struct span reason; /* without who gave it and when; empty: none */
	struct span author; /* root, root@2026-11-16T21:05:23; empty: not said */
	struct span since;  /* 1795098226; empty: stands in the author */
};

/*
 * The answer to `sinfo --Node --nodes=NODE --format=%N|%T|%u|%H|%E`. False if it does not say for
 * certain whether the node is drained: it is in no partition, or another state hides the drain.
 */
bool slurm_line_parse(struct span text, const char *node, struct slurm_node *ret);

/* The answer to `scontrol show node`; false: it is none. */
bool slurm_node_parse(struct span text, struct slurm_node *ret);

/*
 * Of the nodes that the gate has drained: how many, how many of them before this one, how many
 * in the last hour, and how long ago this one was. They are in the order of the seconds in which
 * they were drained; within one second the harshest action comes first, then the name.
 */
struct slurm_drained {
	uint64_t count, before, last_hour;
	uint64_t before_in_hour; /* of the last hour, before this one */
	uint64_t age_s;          /* UINT64_MAX: not known */
};

/*
 * The answer to `sinfo --Node --format=%N|%H|%E` with times in seconds since 1970. A time that
 * is written otherwise counts as one of the last hour.
 */
void slurm_drained_parse(struct span text, const char *node, uint64_t now_s,
			 struct slurm_drained *ret);

/* What a reason of ours names. */
struct slurm_claim {
	struct span cause, subject; /* no subject: the node */
	struct span action;
	struct span boot; /* the first bytes of its id */
};

void slurm_reason_write(const struct node_verdict *v, const struct node_finding *f,
			struct buf *ret);
bool slurm_reason_is_ours(struct span reason);
void slurm_reason_parse(struct span reason, struct slurm_claim *ret); /* empty: mangled */
