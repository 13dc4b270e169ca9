#pragma once

/*
 * slurm-hook - what a verdict does to this node in Slurm
 *
 * An enforced finding drains the node, if nobody else gave a reason and no more
 * nodes than the site allows are drained by us. A reason of ours is taken back
 * when its finding is gone. Whatever goes wrong on the way lets the node pass: it
 * is said and counted.
 */

#include "gate/slurm.h"
#include "gate/trail.h"

struct slurm_order {
	struct slurm_place place;
	const char *verdict_path;     /* beside it is counted */
	const struct node_verdict *v; /* that counts */
	bool off;                     /* nothing is drained */
	bool prolog;                  /* may refuse a job; asks Slurm only to drain */
	struct trail *trail;          /* what was done is added */
};

/* 1: this node is drained by us, and a prolog must refuse the job. 0: it passes. */
int slurm_hook(const struct slurm_order *o, struct arena *a, struct buf *said);
