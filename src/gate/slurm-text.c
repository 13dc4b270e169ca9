#include "gate/slurm-text.h"

#include <string.h>

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
static struct span without_author(struct span reason)
{
	size_t at = reason.len;

	if (!span_ends(reason, "]"))
		return reason;
	while (at > 0 && reason.data[at - 1] != '[')
		at--;
	return at > 0 ? span_trim((struct span){ reason.data, at - 1 }) : reason;
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
			node.reason = without_author(skip(line, strlen("Reason=")));
		}
	}
	if (known)
		*ret = node;
	return known;
}

/* ---- all that we have drained ---- */

struct drained_line {
	struct span name, time;
};

/* The next node with a reason of ours. One of several partitions has as many lines, one after another. */
static bool next_of_ours(struct span *rest, struct drained_line *d)
{
	struct span line, name, time;

	while (span_line(rest, &line)) {
		if (!span_cut(&line, '|', &name) || !span_cut(&line, '|', &time) ||
		    !slurm_reason_is_ours(line) || span_same(name, d->name))
			continue;
		*d = (struct drained_line){ name, time };
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

	return r ? r < 0 : compare(a->name, b->name) < 0;
}

void slurm_drained_parse(struct span text, const char *node, struct slurm_drained *ret)
{
	struct drained_line us = { 0 }, d = { 0 };
	struct span rest = text;

	*ret = (struct slurm_drained){ 0 };
	while (next_of_ours(&rest, &d)) {
		ret->count++;
		if (span_is(d.name, node))
			us = d;
	}
	if (!us.name.data)
		return;
	d = (struct drained_line){ 0 };
	while (next_of_ours(&text, &d))
		ret->before += is_before(&d, &us);
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
	reason.len = end;
	(void)span_word(&reason, &ret->cause);
	(void)span_word(&reason, &ret->subject);
}
