#pragma once

/*
 * slurm - a few questions and orders to Slurm about this node
 *
 * Through Slurm's own programs, found by an absolute path that only root could
 * have changed, without a shell and without the job's environment. All of a
 * conversation has SLURM_MS: without a controller they would wait for a minute.
 */

#include "base/arena.h"
#include "gate/slurm-text.h"

#define SLURM_MS        1000
#define SLURM_MS_MAX    10000
#define SLURM_SECOND_MS 1100 /* after which slurmctld dates by its next second */

struct slurm {
	struct arena *arena;
	const char *scontrol, *sinfo;
	const char *node;
	const char *environment[5];
	uint64_t ms, until_ms;
};

/* Who we are to Slurm, as slurmd says it in the environment; NULL: it does not. */
struct slurm_place {
	const char *node;     /* SLURMD_NODENAME */
	const char *conf;     /* SLURM_CONF */
	const char *scontrol; /* of the site; empty: where it usually is */
	uint64_t ms;          /* of the site; 0: SLURM_MS */
};

/* Each is 0, or -errno with the reason. */
int slurm_open(struct arena *a, const struct slurm_place *p, struct slurm *ret, struct buf *why);
int slurm_ask(const struct slurm *s, struct slurm_node *ret, struct buf *why);
int slurm_count(const struct slurm *s, struct slurm_drained *ret, struct buf *why);
int slurm_drain(const struct slurm *s, const char *reason, struct buf *why);
int slurm_release(const struct slurm *s, struct buf *why);

/*
 * Waits until every drain that slurmctld dates by the same second as ours is made, so that the
 * next count has all that come before this node.
 */
void slurm_wait_second(void);

/* What is asked from now on has s->ms. */
void slurm_start_anew(struct slurm *s);
