#include "gate/slurm-hook.h"

#include <string.h>

#include "base/text.h"
#include "gate/passed.h"

#define REASON_MAX 200 /* bytes that are told of a reason: anybody with rights in Slurm wrote it */

/* A hook at work. */
struct hook {
	const struct slurm_order *order;
	struct slurm slurm;
	struct slurm_node node;
	const struct node_finding *wanted; /* for which it is to be drained, or NULL */
	struct buf *said, why;
};

static const struct node_finding *first_enforced(const struct node_verdict *v)
{
	return v->count > 0 && v->findings[0].enforced ? &v->findings[0] : NULL;
}

static int told_length(struct span reason)
{
	return (int)(reason.len < REASON_MAX ? reason.len : REASON_MAX);
}

/* ---- letting pass ---- */

static int pass(struct hook *h, enum passed kind, const char *what)
{
	text_line(h->said, "%s passes: %s%s", h->order->place.node ? h->order->place.node : "node",
		  what, h->why.len > 0 ? h->why.data : "");
	passed_add(h->order->verdict_path, kind, h->said);
	return 0;
}

/* ---- taking back ---- */

static bool still_holds(const struct node_verdict *v, const struct slurm_claim *c)
{
	for (size_t i = 0; i < v->count; i++)
		if (span_is(c->cause, v->findings[i].cause) &&
		    span_is(c->subject, v->findings[i].subject))
			return true;
	return false;
}

/* In the same boot, or in one that is not known, a fault that could not be looked for is not gone. */
static bool is_gone(const struct node_verdict *v, const struct slurm_claim *c)
{
	bool same_boot =
		!v->boot[0] || c->boot.len == 0 || strncmp(v->boot, c->boot.data, c->boot.len) == 0;

	if (v->more > 0 || (c->cause.len == 0 && v->count > 0))
		return false;
	if (!same_boot)
		return true;
	for (size_t i = 0; i < v->unknown_count; i++)
		if (c->cause.len == 0 || span_is(c->cause, v->unknown[i]))
			return false;
	return true;
}

static void release(struct hook *h)
{
	if (slurm_release(&h->slurm, &h->why) < 0) {
		(void)pass(h, PASSED_SLURM_SILENT, "its drain was not taken back: ");
		return;
	}
	text_line(h->said, "%s is released: \"%.*s\" is gone", h->slurm.node,
		  told_length(h->node.reason), h->node.reason.data);
}

/* ---- draining ---- */

/*
 * Many nodes may count at the same moment, find room and drain. So each counts
 * again, and those that came after the last one with room step back. Who cannot
 * count again stays: it was allowed to drain.
 */
static int step_back(struct hook *h)
{
	struct buf why BUF_SCOPED = { 0 };
	struct slurm_drained d;

	if (slurm_count(&h->slurm, &d, &why) < 0 || d.before < h->order->v->max_drained)
		return 1;
	if (slurm_release(&h->slurm, &why) < 0)
		return 1;
	buf_addf(&h->why, "%llu other nodes were first, max_drained is %llu",
		 (unsigned long long)d.before, (unsigned long long)h->order->v->max_drained);
	return pass(h, PASSED_BRAKE, "");
}

static int drain(struct hook *h)
{
	struct buf reason BUF_SCOPED = { 0 };

	slurm_reason_write(h->order->v, h->wanted, &reason);
	if (slurm_drain(&h->slurm, reason.data, &h->why) < 0)
		return pass(h, PASSED_SLURM_SILENT, "it was not drained: ");
	text_line(h->said, "%s is drained: %s", h->slurm.node, reason.data);
	return 1;
}

static int drain_with_brake(struct hook *h)
{
	struct slurm_drained d;

	if (slurm_count(&h->slurm, &d, &h->why) < 0)
		return pass(h, PASSED_SLURM_SILENT, "it was not drained: ");
	if (d.count >= h->order->v->max_drained) {
		buf_addf(&h->why, "%llu nodes are drained by the gate, max_drained is %llu",
			 (unsigned long long)d.count, (unsigned long long)h->order->v->max_drained);
		return pass(h, PASSED_BRAKE, "it should be drained; ");
	}
	return drain(h) ? step_back(h) : 0;
}

/* ---- what there is ---- */

/* Drained by us already: the reason stays, changes, or is taken back. */
static int keep_or_release(struct hook *h)
{
	struct slurm_claim claim;

	slurm_reason_parse(h->node.reason, &claim);
	if (still_holds(h->order->v, &claim))
		return h->wanted ? 1 : 0;
	if (h->wanted)
		return drain(h);
	if (is_gone(h->order->v, &claim))
		release(h);
	return 0;
}

static int act(struct hook *h)
{
	bool ours = slurm_reason_is_ours(h->node.reason);

	if (ours && h->node.draining)
		return keep_or_release(h);
	if (!h->wanted)
		return 0;
	if (!ours && h->node.reason.len > 0) {
		buf_addf(&h->why, "%.*s", told_length(h->node.reason), h->node.reason.data);
		return pass(h, PASSED_OTHER_REASON, "it has a reason that is not ours: ");
	}
	return drain_with_brake(h);
}

int slurm_hook(const struct slurm_order *o, struct arena *a, struct buf *said)
{
	struct hook h = { .order = o, .said = said };
	int status = 0;

	h.wanted = o->off ? NULL : first_enforced(o->v);
	if (h.wanted || !o->prolog) {
		if (slurm_open(a, &o->place, &h.slurm, &h.why) < 0 ||
		    slurm_ask(&h.slurm, &h.node, &h.why) < 0)
			status = pass(&h, PASSED_SLURM_SILENT, "Slurm does not answer: ");
		else
			status = act(&h);
	}
	buf_done(&h.why);
	return o->prolog ? status : 0;
}
