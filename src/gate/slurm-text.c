#include "gate/slurm-text.h"

#include <string.h>

#include "gate/gate-conf.h"

#define BOOT_LEN 8 /* bytes of a boot's id that tell it from the last */

static struct span skip(struct span s, size_t n)
{
	return (struct span){ s.data + n, s.len - n };
}

/* ---- one node ---- */

/* IDLE+DRAIN, MIXED+DRAIN+NOT_RESPONDING, DOWN*+DRAIN, in old releases DRAINED and DRAINING */
static bool says_drain(struct span state)
{
	struct span part;

	while (span_cut(&state, '+', &part))
		if (span_starts(part, "DRAIN"))
			return true;
	return false;
}

/* Behind the reason stands who gave it, and when: `[root@2026-11-16T21:05:23]`. */
static void take_reason(struct span text, struct slurm_node *ret)
{
	size_t at = text.len;

	ret->reason = text;
	if (!span_ends(text, "]"))
		return;
	while (at > 0 && text.data[at - 1] != '[')
		at--;
	if (at == 0)
		return;
	ret->reason = span_trim((struct span){ text.data, at - 1 });
	ret->author = (struct span){ text.data + at, text.len - at - 1 };
}

bool slurm_node_parse(struct span text, struct slurm_node *ret)
{
	struct slurm_node node = { 0 };
	struct span line, state;
	bool known = false;

	while (span_line(&text, &line)) {
		line = span_trim(line);
		if (!known && span_starts(line, "State=") && span_word(&line, &state)) {
			node.draining = says_drain(skip(state, strlen("State=")));
			known = true;
		} else if (node.reason.len == 0 && span_starts(line, "Reason=")) {
			take_reason(skip(line, strlen("Reason=")), &node);
		}
	}
	if (known)
		*ret = node;
	return known;
}

static bool take_fields(struct span line, struct span *name, struct span *state,
			struct slurm_node *ret)
{
	if (!span_cut(&line, '|', name) || !span_cut(&line, '|', state) ||
	    !span_cut(&line, '|', &ret->author) || !span_cut(&line, '|', &ret->since))
		return false;
	ret->reason = span_trim(line);
	return true;
}

/* A reason that is "none" has a time; no reason has none. */
static bool has_no_reason(const struct slurm_node *node)
{
	return span_is(node->since, "Unknown") && span_is(node->reason, "none");
}

bool slurm_line_parse(struct span text, const char *node, struct slurm_node *ret)
{
	struct span line, name, state;

	while (span_line(&text, &line)) {
		struct slurm_node read = { 0 };

		if (!take_fields(line, &name, &state, &read) || !span_is(name, node))
			continue;
		read.draining = span_starts(state, "drain");
		if (has_no_reason(&read))
			read = (struct slurm_node){ .draining = read.draining };
		else if (!read.draining)
			return false; /* "reboot^" and "maint" may hide a drain */
		*ret = read;
		return true;
	}
	return false;
}

/* ---- all that we have drained ---- */

struct drained_line {
	struct span name, time; /* the time is as long in every line */
	uint64_t second;        /* since 1970; 0: it is written otherwise */
	size_t harshness;
};

static size_t harshness_of(struct span reason)
{
	struct slurm_claim claim;

	slurm_reason_parse(reason, &claim);
	return gate_conf_harshness(claim.action);
}

/* The next node with a reason of ours. One of several partitions has as many lines, one after another. */
static bool next_of_ours(struct span *rest, struct drained_line *d)
{
	struct span line, name, time;

	while (span_line(rest, &line)) {
		if (!span_cut(&line, '|', &name) || !span_cut(&line, '|', &time) ||
		    !slurm_reason_is_ours(line) || span_same(name, d->name))
			continue;
		*d = (struct drained_line){ name, time, 0, harshness_of(line) };
		if (!span_u64(time, &d->second))
			d->second = 0;
		return true;
	}
	return false;
}

static int compare(struct span a, struct span b)
{
	int r = memcmp(a.data, b.data, a.len < b.len ? a.len : b.len);

	return r ? r : (a.len > b.len) - (a.len < b.len);
}

static bool is_before(const struct drained_line *a, const struct drained_line *b)
{
	int r = compare(a->time, b->time);

	if (r == 0 && a->harshness != b->harshness)
		return a->harshness > b->harshness;
	return r ? r < 0 : compare(a->name, b->name) < 0;
}

static bool is_of_hour(const struct drained_line *d, uint64_t now_s)
{
	return d->second == 0 || d->second + 3600 > now_s;
}

void slurm_drained_parse(struct span text, const char *node, uint64_t now_s,
			 struct slurm_drained *ret)
{
	struct drained_line us = { 0 }, d = { 0 };
	struct span rest = text;

	*ret = (struct slurm_drained){ .age_s = UINT64_MAX };
	while (next_of_ours(&rest, &d)) {
		ret->count++;
		ret->last_hour += is_of_hour(&d, now_s);
		if (span_is(d.name, node))
			us = d;
	}
	if (!us.name.data)
		return;
	if (us.second > 0)
		ret->age_s = now_s > us.second ? now_s - us.second : 0;
	d = (struct drained_line){ 0 };
	while (next_of_ours(&text, &d)) {
		bool before = !span_same(d.name, us.name) && is_before(&d, &us);

		ret->before += before;
		ret->before_in_hour += before && is_of_hour(&d, now_s);
	}
}

/* ---- our reason ---- */

void slurm_reason_write(const struct node_verdict *v, const struct node_finding *f, struct buf *ret)
{
	buf_addf(ret, SLURM_LEADER "%s%s%s: %s (boot %.*s)", f->cause, f->subject[0] ? " " : "",
		 f->subject, f->action, BOOT_LEN, v->boot);
}

bool slurm_reason_is_ours(struct span reason)
{
	return span_starts(reason, SLURM_LEADER);
}

void slurm_reason_parse(struct span reason, struct slurm_claim *ret)
{
	struct span boot = SPAN_LITERAL("(boot ");
	size_t end, at;

	*ret = (struct slurm_claim){ 0 };
	if (!slurm_reason_is_ours(reason))
		return;
	reason = skip(reason, strlen(SLURM_LEADER));
	end = span_find(reason, SPAN_LITERAL(": "));
	at = span_find(reason, boot);
	if (end == SIZE_MAX || at == SIZE_MAX || at < end || reason.len - at - boot.len < BOOT_LEN)
		return;
	ret->boot = (struct span){ reason.data + at + boot.len, BOOT_LEN };
	ret->action = span_trim((struct span){ reason.data + end + 2, at - end - 2 });
	reason.len = end;
	(void)span_word(&reason, &ret->cause);
	(void)span_word(&reason, &ret->subject);
}
