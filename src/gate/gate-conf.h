#pragma once

/*
 * gate-conf - what this site lets the gate do
 *
 *	# /etc/rocsteady/gate.conf
 *	max_drained 5
 *	max_per_hour 3
 *	latch yes
 *	enforce ecc-uncorrectable drain
 *	enforce gpu-missing reboot
 *	scontrol /opt/slurm/bin/scontrol
 *	slurm_ms 2000
 *
 * Without a line for its cause a finding is observed: told, and nothing is done.
 * `enforce` names the harshest action that the site agrees to, so a cause that new
 * knowledge brings, or makes harsher, is observed until somebody writes it here.
 * Strict: a file with one mistake enforces nothing.
 */

#include "base/arena.h"
#include "gate/node-verdict.h"

#define GATE_CONF_MAX      ((size_t)64 * 1024)
#define GATE_CONF_ENFORCED 256   /* lines */
#define GATE_CONF_SLURM_MS 10000 /* milliseconds */
#define GATE_CONF_PATH     200   /* bytes */
#define GATE_CONF_DRAINED  1000  /* nodes: more is a slip of the finger */

struct gate_enforced {
	const char *cause;
	const char *action; /* and what is milder */
	size_t line;
};

struct gate_conf {
	struct gate_enforced *enforced;
	size_t count;
	uint64_t max_drained;
	uint64_t max_per_hour; /* 0: no such limit */
	bool latch;            /* a node that met the brake waits for a person */
	const char *scontrol;  /* empty: where it usually is */
	uint64_t slurm_ms;     /* for all questions to Slurm of one hook; 0: as usual */
};

struct gate_mistake {
	size_t line;     /* 0: of the whole file */
	const char *why; /* static */
};

/* How harsh an action is, from 0; one that is not known is harsher than all. */
size_t gate_conf_harshness(struct span action);

/* Pure. False for the first mistake; then nothing was changed but *ret_mistake. */
bool gate_conf_parse(struct arena *a, struct span text, struct gate_conf *ret,
		     struct gate_mistake *ret_mistake);

/* The first line that names a cause that was not judged, or NULL. */
const struct gate_enforced *gate_conf_unknown(const struct gate_conf *c,
					      const struct node_verdict *v);

/* Says of each finding whether it is enforced; those that are come first. */
void gate_conf_apply(const struct gate_conf *c, struct node_verdict *v);
