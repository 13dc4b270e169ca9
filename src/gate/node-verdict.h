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
 *	program 0.1.0
 *	knowledge 2026.11.1
 *	conf 1f0c8e2a9b47
 *	mode enforce
 *	max_drained 5
 *	why the\x20host\x20is\x20too\x20busy...
 *	unknown ecc-uncorrectable
 *	finding ecc-uncorrectable 0000:c5:00.0 drain 86000 log GPU\x206\x20... enforce drain
 *	test 86000 failed memory
 *	more 3
 */

#include "base/arena.h"
#include "base/buf.h"

#define NODE_VERDICT_MAX    ((size_t)4096) /* bytes of the text */
#define NODE_VERDICT_DIGEST 12             /* letters of a digest that are kept */

struct node_finding {
	const char *cause;
	const char *subject; /* a PCI address; empty for the node */
	const char *action;  /* reset-gpu, reboot, drain, replace */
	const char
		*repair; /* none, drain, reboot, reseat, replace, fix-software; empty: not said */
	const char *title;
	uint64_t first_s; /* second of this boot in which it was found */
	bool logged;      /* it stands on a line of the kernel log, which may be gone tomorrow */
	bool enforced;    /* the site has agreed; else it is observed */
	const char **evidence; /* what was seen, and where; not kept */
	size_t evidence_count;
};

/* The last test of the GPUs in this boot, `rocsteady gate --with probe`. */
struct node_test {
	const char *result; /* passed or failed; empty: none was made */
	const char *layers; /* that failed, with commas */
	uint64_t second;    /* of the boot */
};

/* Initializers. */
#define NODE_TEST_EMPTY                    \
	{                                  \
		.result = "", .layers = "" \
	}

struct node_verdict {
	const char *boot;              /* the kernel's id of it; empty: not known */
	uint64_t second;               /* of that boot */
	const char *program;           /* version of that which judged; empty: an earlier one */
	const char *knowledge;         /* version */
	const char *conf;              /* digest of gate.conf; empty: there is none */
	const char *expected;          /* digest of what expect.conf states; empty: nothing */
	struct node_finding *findings; /* what is enforced comes first */
	size_t count;
	uint64_t more;        /* findings for which there was no room */
	const char **unknown; /* causes that could not be decided */
	size_t unknown_count;
	const char *why;       /* if all of them could not; empty: each has its own reason */
	const char *mode;      /* of the site: observe, enforce; empty: nobody asked it */
	const char *ignored;   /* why the site's file does not count; empty: it does */
	const char *scontrol;  /* the site's; empty: where it usually is */
	uint64_t max_drained;  /* nodes that may be drained by the gate at once */
	uint64_t max_per_hour; /* nodes that it may drain in an hour; 0: no such limit */
	uint64_t latch;        /* not 0: a node that met the brake waits for a person */
	uint64_t slurm_ms;     /* for Slurm's answers; 0: as usual */
	struct node_test test;
	const char **judged; /* causes that were asked; not kept */
	size_t judged_count;
};

#define NODE_VERDICT_EMPTY                                                                         \
	{                                                                                          \
		.boot = "", .program = "", .knowledge = "", .conf = "", .expected = "", .why = "", \
		.mode = "", .ignored = "", .scontrol = "", .test = NODE_TEST_EMPTY                 \
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

/*
 * A test of this boot that failed is something that is not known: the layer is named, and closes
 * no node.
 */
void node_verdict_weigh_test(struct arena *a, struct node_verdict *v);

/* What is enforced first, else in the order there was: the first finding is the one that readers name. */
void node_verdict_order(struct node_verdict *v);

/* Whether its cause is among those that could not be decided. */
bool node_verdict_is_unknown(const struct node_verdict *v, const char *cause);
