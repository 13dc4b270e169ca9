#pragma once

/*
 * node-verdict - may this node take the next job
 *
 * One small text, replaced whole, that every reader of the gate words in its own
 * way: so Slurm, a monitor and a label can not disagree. It holds for one boot.
 * A verdict without a finding is open; one that could not look everywhere says
 * so and is open, too: not knowing closes no node.
 *
 *	rocsteady-verdict 1
 *	lines 9
 *	boot 3d4c8f0e-...
 *	second 86400
 *	knowledge 2026.11.1
 *	mode enforce
 *	max_drained 5
 *	why the\x20host\x20is\x20too\x20busy...
 *	unknown ecc-uncorrectable
 *	finding ecc-uncorrectable 0000:c5:00.0 drain 86000 log GPU\x206\x20... enforce
 *	more 3
 */

#include "base/arena.h"
#include "base/buf.h"

#define NODE_VERDICT_MAX ((size_t)4096) /* bytes of the text */

struct node_finding {
	const char *cause;
	const char *subject; /* a PCI address; empty for the node */
	const char *action;  /* reset-gpu, reboot, drain, replace */
	const char *title;
	uint64_t first_s; /* second of this boot in which it was found */
	bool logged;      /* it stands on a line of the kernel log, which may be gone tomorrow */
	bool enforced;    /* the site has agreed; else it is observed */
};

struct node_verdict {
	const char *boot;              /* the kernel's id of it; empty: not known */
	uint64_t second;               /* of that boot */
	const char *knowledge;         /* version */
	struct node_finding *findings; /* what is enforced comes first */
	size_t count;
	uint64_t more;        /* findings for which there was no room */
	const char **unknown; /* causes that could not be decided */
	size_t unknown_count;
	const char *why;      /* if all of them could not; empty: each has its own reason */
	const char *mode;     /* of the site: observe, enforce; empty: nobody asked it */
	const char *ignored;  /* why the site's file does not count; empty: it does */
	const char *scontrol; /* the site's; empty: where it usually is */
	uint64_t max_drained; /* nodes that may be drained by the gate at once */
	uint64_t slurm_ms;    /* for Slurm's answers; 0: as usual */
	const char **judged;  /* causes that were asked; not kept */
	size_t judged_count;
};

/* An initializer. */
#define NODE_VERDICT_EMPTY                                                                        \
	{                                                                                         \
		.boot = "", .knowledge = "", .why = "", .mode = "", .ignored = "", .scontrol = "" \
	}

/* Text of at most NODE_VERDICT_MAX bytes; findings that do not fit are counted. */
void node_verdict_write(const struct node_verdict *v, struct buf *ret);

/* False for what is no such text. Words of later versions are passed over. */
bool node_verdict_parse(struct arena *a, struct span text, struct node_verdict *ret);

/*
 * What was found earlier in the same boot stays, and keeps the second of its
 * first finding, unless the same question was asked again and answered no. What
 * stood on the kernel log stays for its boot: a log that has turned over cures
 * nobody.
 */
void node_verdict_join(struct arena *a, struct node_verdict *v, const struct node_verdict *earlier);

/* What is enforced first, else in the order there was: the first finding is the one that readers name. */
void node_verdict_order(struct node_verdict *v);

/* Whether its cause is among those that could not be decided. */
bool node_verdict_is_unknown(const struct node_verdict *v, const char *cause);
