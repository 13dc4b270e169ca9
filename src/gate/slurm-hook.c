#include "gate/slurm-hook.h"

#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/text.h"
#include "base/units.h"
#include "gate/acts.h"
#include "gate/beside-verdict.h"
#include "gate/latch.h"
#include "gate/passed.h"
#include "gate/trail.h"

/* ---- holder ---- */

/*
 * In whose hands this node was in Slurm when the gate looked last.
 *
 * The last line of a small file beside the trail, `gate CAUSE`, `person CAUSE` or
 * `nobody CAUSE`: so what a person does while the node boots is noticed, too.
 */

#define HOLDER_FILE "holder"
#define HOLDER_MAX  ((size_t)4096) /* bytes; then it becomes holder.1 */

enum holder {
	HOLDER_NOBODY,
	HOLDER_GATE,   /* it drained the node */
	HOLDER_PERSON, /* gave a reason of their own after that */
	HOLDERS
};

struct holding {
	enum holder by;
	const char *cause; /* of the gate's drain; empty: there was none */
};

static const char *const words[HOLDERS] = { "nobody", "gate", "person" };

static void take_line(struct arena *a, struct span line, struct holding *ret)
{
	struct span word, cause;

	if (!span_word(&line, &word) || !span_word(&line, &cause) || !text_is_slug(cause))
		return;
	for (size_t i = 0; i < HOLDERS; i++)
		if (span_is(word, words[i]))
			*ret = (struct holding){ (enum holder)i, arena_text(a, cause) };
}

static void holder_read(const char *verdict, struct arena *a, struct holding *ret)
{
	struct buf text BUF_SCOPED = { 0 };
	struct span rest, line;

	*ret = (struct holding){ .cause = "" };
	beside_read(trail_place(verdict), HOLDER_FILE, HOLDER_MAX * 2, &text);
	rest = buf_get(&text);
	while (span_line(&rest, &line))
		take_line(a, line, ret);
}

/* What cannot be written is said. */
static void holder_keep(const char *verdict, enum holder by, const char *cause, struct buf *said)
{
	static const struct beside_order file = { HOLDER_FILE, HOLDER_MAX, .keep_one = true };
	struct buf line BUF_SCOPED = { 0 }, why BUF_SCOPED = { 0 };
	int r;

	buf_addf(&line, "%s %s\n", words[by], cause[0] ? cause : "unknown");
	r = beside_add(trail_place(verdict), &file, buf_get(&line), &why);
	if (r < 0)
		text_line(said, "%s: not written: %s", HOLDER_FILE,
			  why.len > 0 ? why.data : strerror(-r));
}

/* ---- slurm hook ---- */

#define SETTLED_S  900 /* seconds after which a drain is no longer counted again */
#define REASON_MAX 200 /* bytes that are told of a reason: anybody with rights in Slurm wrote it */

/* A hook at work. */
struct hook {
	const struct slurm_order *order;
	struct arena *arena;
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

/* ---- what was done is kept ---- */

static const struct {
	enum act act;
	enum holder by; /* afterwards */
	const char *event;
} events[ACT_KINDS] = { { ACT_DRAIN, HOLDER_GATE, "drained" },
			{ ACT_RELEASE, HOLDER_NOBODY, "released" } };

static void keep_act(struct hook *h, enum act act, struct span reason, const char *by,
		     const char *why)
{
	struct slurm_claim claim;
	struct buf text BUF_SCOPED = { 0 };
	const char *cause;

	slurm_reason_parse(reason, &claim);
	buf_span(&text, claim.cause);
	cause = text.len > 0 ? text.data : "";
	acts_add(h->order->verdict_path, act, cause, h->said);
	holder_keep(h->order->verdict_path, events[act].by, cause, h->said);
	trail_act(h->order->trail, h->order->v,
		  &(struct trail_act){ events[act].event, claim.cause, claim.subject, reason, by,
				       why });
}

/* root@2026-11-16T21:05:23Z */
static const char *author_of(struct arena *a, const struct slurm_node *node)
{
	char date[UNITS_MAX];
	uint64_t second;

	if (node->author.len == 0)
		return "not said by Slurm";
	if (!span_u64(node->since, &second))
		return arena_text(a, node->author);
	units_moment(second, date);
	return arena_format(a, "%.*s@%s", (int)node->author.len, node->author.data, date);
}

static void keep_handover(struct hook *h, struct arena *a, const struct holding *held,
			  const char *event, const char *why)
{
	bool theirs = h->node.reason.len > 0;

	holder_keep(h->order->verdict_path, theirs ? HOLDER_PERSON : HOLDER_NOBODY, held->cause,
		    h->said);
	trail_act(h->order->trail, h->order->v,
		  &(struct trail_act){ event, span_of(held->cause), span_of(""), h->node.reason,
				       author_of(a, &h->node), why });
}

/*
 * The gate holds this node as far as it knows, and Slurm says otherwise: somebody resumed it, or
 * gave a reason of their own. Slurm keeps who gave a reason, and not who resumed.
 */
static void notice_taken(struct hook *h, struct arena *a, const struct holding *held)
{
	acts_add(h->order->verdict_path, ACT_TAKEN, held->cause, h->said);
	keep_handover(h, a, held, "taken",
		      h->node.reason.len > 0 ? "somebody gave another reason"
					     : "somebody resumed the node");
	text_line(h->said, "%s: the drain for %s was ended by somebody else", h->slurm.node,
		  held->cause);
}

/* A drain of this boot that Slurm made and answered too late: nothing here says so yet. */
static void notice_unheard(struct hook *h)
{
	const struct node_verdict *v = h->order->v;
	struct slurm_claim claim;

	slurm_reason_parse(h->node.reason, &claim);
	if (claim.cause.len > 0 && strncmp(v->boot, claim.boot.data, claim.boot.len) == 0)
		keep_act(h, ACT_DRAIN, h->node.reason, "gate",
			 "found in Slurm, without a line of the trail before");
}

static void notice(struct hook *h, struct arena *a)
{
	bool ours = slurm_reason_is_ours(h->node.reason) && h->node.draining;
	struct holding held;

	holder_read(h->order->verdict_path, a, &held);
	if (ours && held.by != HOLDER_GATE)
		notice_unheard(h);
	else if (!ours && held.by == HOLDER_GATE)
		notice_taken(h, a, &held);
	else if (held.by == HOLDER_PERSON && h->node.reason.len == 0)
		keep_handover(h, a, &held, "returned", "somebody took their reason back");
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

static bool is_same_boot(const struct node_verdict *v, const struct slurm_claim *c)
{
	return !v->boot[0] || c->boot.len == 0 || strncmp(v->boot, c->boot.data, c->boot.len) == 0;
}

/* A fault that could not be looked for is not gone, in another boot either. */
static bool is_gone(const struct node_verdict *v, const struct slurm_claim *c)
{
	if (v->more > 0 || (c->cause.len == 0 && v->count > 0))
		return false;
	for (size_t i = 0; i < v->unknown_count; i++)
		if (c->cause.len == 0 || span_is(c->cause, v->unknown[i]))
			return false;
	return true;
}

static void release(struct hook *h, const char *why)
{
	if (slurm_release(&h->slurm, &h->why) < 0) {
		(void)pass(h, PASSED_SLURM_SILENT, "its drain was not taken back: ");
		return;
	}
	keep_act(h, ACT_RELEASE, h->node.reason, "gate", why);
	text_line(h->said, "%s is released: \"%.*s\" is gone", h->slurm.node,
		  told_length(h->node.reason), h->node.reason.data);
}

/* ---- draining ---- */

/* An ill node that stays in service has a line of the trail, which says why. */
static void latch(struct hook *h)
{
	const struct slurm_order *o = h->order;
	struct buf earlier BUF_SCOPED = { 0 };

	if (latch_holds(o->verdict_path, o->v, &earlier))
		return;
	latch_set(o->verdict_path, o->v, h->why.data, h->said);
	trail_act(o->trail, o->v,
		  &(struct trail_act){ "latched", span_of(h->wanted->cause),
				       span_of(h->wanted->subject), span_of(""), "gate",
				       h->why.data });
}

/* With a latch this node is not drained either when there is room again. */
static int meet_brake(struct hook *h, const char *what)
{
	if (h->order->v->latch)
		latch(h);
	return pass(h, PASSED_BRAKE, what);
}

/* Whether those that were drained before this node leave it below both limits. */
static bool has_room(const struct node_verdict *v, const struct slurm_drained *d)
{
	return d->before < v->max_drained &&
	       (v->max_per_hour == 0 || d->before_in_hour < v->max_per_hour);
}

/* A drain of which nobody can say whether the limits allow it is given back, if Slurm takes it. */
static int give_back(struct hook *h, struct span reason, const struct buf *why)
{
	struct buf failed BUF_SCOPED = { 0 };

	slurm_start_anew(&h->slurm);
	if (slurm_release(&h->slurm, &failed) < 0)
		return 1;
	keep_act(h, ACT_RELEASE, reason, "gate", "the limits could not be checked");
	buf_span(&h->why, buf_get(why));
	return pass(h, PASSED_SLURM_SILENT,
		    "it was drained and released, for the limits could not be checked: ");
}

static int step_back(struct hook *h, struct span reason, const struct slurm_drained *d)
{
	struct buf why BUF_SCOPED = { 0 };

	if (has_room(h->order->v, d) || slurm_release(&h->slurm, &why) < 0)
		return 1;
	keep_act(h, ACT_RELEASE, reason, "gate", "other nodes were first");
	buf_addf(&h->why,
		 "%llu other nodes were first, %llu of them in this hour; max_drained is %llu, "
		 "max_per_hour %llu",
		 (unsigned long long)d->before, (unsigned long long)d->before_in_hour,
		 (unsigned long long)h->order->v->max_drained,
		 (unsigned long long)h->order->v->max_per_hour);
	return meet_brake(h, "");
}

/*
 * Many nodes may count at the same moment, find room and drain. So each counts
 * again, and those that came after the last one with room step back. Slurm dates
 * by seconds, and within one the name decides: a node that counted in its own
 * second could miss one that comes before it.
 */
static int count_again(struct hook *h, struct span reason)
{
	struct buf why BUF_SCOPED = { 0 };
	struct slurm_drained d;

	slurm_wait_second();
	slurm_start_anew(&h->slurm);
	return slurm_count(&h->slurm, &d, &why) < 0 ? give_back(h, reason, &why)
						    : step_back(h, reason, &d);
}

/* Two hooks that run at once both find a node that is not drained: one line of the trail says it. */
static bool is_told(struct hook *h)
{
	struct holding held;

	holder_read(h->order->verdict_path, h->arena, &held);
	return held.by == HOLDER_GATE && !slurm_reason_is_ours(h->node.reason);
}

static int drain(struct hook *h)
{
	struct buf reason BUF_SCOPED = { 0 };

	slurm_reason_write(h->order->v, h->wanted, &reason);
	if (slurm_drain(&h->slurm, reason.data, &h->why) < 0)
		return pass(h, PASSED_SLURM_SILENT, "it was not drained: ");
	if (!is_told(h))
		keep_act(h, ACT_DRAIN, buf_get(&reason), "gate", NULL);
	text_line(h->said, "%s is drained: %s", h->slurm.node, reason.data);
	return 1;
}

/* Whether a limit is reached; then which one is added to h->why. */
static bool is_full(struct hook *h, const struct slurm_drained *d)
{
	const struct node_verdict *v = h->order->v;

	if (d->count >= v->max_drained)
		buf_addf(&h->why, "%llu %s drained by the gate, max_drained is %llu",
			 (unsigned long long)d->count, d->count == 1 ? "node is" : "nodes are",
			 (unsigned long long)v->max_drained);
	else if (v->max_per_hour > 0 && d->last_hour >= v->max_per_hour)
		buf_addf(&h->why, "%llu %s drained by the gate in an hour, max_per_hour is %llu",
			 (unsigned long long)d->last_hour,
			 d->last_hour == 1 ? "node was" : "nodes were",
			 (unsigned long long)v->max_per_hour);
	else
		return false;
	return true;
}

static int drain_with_brake(struct hook *h)
{
	struct buf reason BUF_SCOPED = { 0 };
	struct slurm_drained d;

	if (latch_holds(h->order->verdict_path, h->order->v, &h->why))
		return pass(h, PASSED_BRAKE, "it is latched until a person resets it; ");
	if (slurm_count(&h->slurm, &d, &h->why) < 0)
		return pass(h, PASSED_SLURM_SILENT, "it was not drained: ");
	if (is_full(h, &d))
		return meet_brake(h, "it should be drained; ");
	slurm_reason_write(h->order->v, h->wanted, &reason);
	if (!drain(h))
		return 0;
	return count_again(h, buf_get(&reason));
}

/* ---- what there is ---- */

/*
 * A node that could neither count again nor be given back may stand above the limit. It counts once
 * more at the health checks of the next minutes; later somebody may be at work on it.
 */
static int stay(struct hook *h)
{
	struct buf why BUF_SCOPED = { 0 };
	struct slurm_drained d;

	if (!h->wanted)
		return 0;
	if (h->order->prolog || slurm_count(&h->slurm, &d, &why) < 0 || d.age_s > SETTLED_S)
		return 1;
	return step_back(h, h->node.reason, &d);
}

/* Drained by us already: the reason stays, changes, or is taken back. */
static int keep_or_release(struct hook *h)
{
	struct slurm_claim claim;

	slurm_reason_parse(h->node.reason, &claim);
	if (still_holds(h->order->v, &claim))
		return stay(h);
	if (h->wanted)
		return drain(h);
	if (is_gone(h->order->v, &claim))
		release(h, is_same_boot(h->order->v, &claim) ? "the fault is gone"
							     : "the fault is gone in a new boot");
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
	struct hook h = { .order = o, .arena = a, .said = said };
	int status = 0;

	h.wanted = o->off ? NULL : first_enforced(o->v);
	if (h.wanted || !o->prolog) {
		if (slurm_open(a, &o->place, &h.slurm, &h.why) < 0)
			status = pass(&h, PASSED_SLURM_SILENT, "Slurm cannot be asked: ");
		else if (slurm_ask(&h.slurm, &h.node, &h.why) < 0)
			status = pass(&h, PASSED_SLURM_SILENT, "Slurm does not answer: ");
		else {
			notice(&h, a);
			status = act(&h);
		}
	}
	buf_done(&h.why);
	return o->prolog ? status : 0;
}
