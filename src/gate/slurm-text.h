#pragma once

/*
 * slurm-text - what Slurm's programs print of a node, and the reason that we give
 *
 *	NodeName=n1 Arch=x86_64 CoresPerSocket=1
 *	   State=IDLE+DRAIN ThreadsPerCore=1 TmpDisk=0 ...
 *	   Reason=rocsteady: gpu-missing 0000:c5:00.0: drain (boot 3d4c8f0e) [root@2026-11-16T21:05:23]
 *
 * Only a reason with our leader is ever changed by us.
 */

#include "base/buf.h"
#include "gate/node-verdict.h"

#define SLURM_LEADER "rocsteady: "

struct slurm_node {
	bool draining;      /* or drained */
	struct span reason; /* without who gave it and when; empty: none */
};

/* The answer to `scontrol show node`; false: it is none. */
bool slurm_node_parse(struct span text, struct slurm_node *ret);

/* Of the nodes that the gate has drained: how many, and how many of them before this one. */
struct slurm_drained {
	uint64_t count, before;
};

/* The answer to `sinfo --Node --format=%N|%H|%E`, by time and then by name. */
void slurm_drained_parse(struct span text, const char *node, struct slurm_drained *ret);

/* What a reason of ours names. */
struct slurm_claim {
	struct span cause, subject; /* no subject: the node */
	struct span boot;           /* the first bytes of its id */
};

void slurm_reason_write(const struct node_verdict *v, const struct node_finding *f,
			struct buf *ret);
bool slurm_reason_is_ours(struct span reason);
void slurm_reason_parse(struct span reason, struct slurm_claim *ret); /* empty: mangled */
