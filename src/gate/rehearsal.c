#include "gate/rehearsal.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/json-write.h"

#define NODES_SHOWN 6 /* of one line */

/* ---- one machine ---- */

static enum rehearsed_outcome outcome_of(const struct node_verdict *v)
{
	if (!v)
		return REHEARSED_UNREAD;
	if (v->count > 0)
		return v->findings[0].enforced ? REHEARSED_DRAIN : REHEARSED_OBSERVE;
	return v->unknown_count > 0 ? REHEARSED_UNCLEAR : REHEARSED_PASS;
}

enum rehearsed_outcome rehearsed_outcome(const struct rehearsed *node)
{
	return outcome_of(node->unread ? NULL : node->verdict);
}

static const struct node_finding *first_finding(const struct node_verdict *v)
{
	return v->count > 0 ? &v->findings[0] : NULL;
}

static const char *first_cause(const struct node_verdict *v)
{
	const struct node_finding *f = first_finding(v);

	return f ? f->cause : "";
}

bool rehearsed_differs(const struct rehearsed *node)
{
	if (node->unread || !node->against)
		return false;
	return outcome_of(node->verdict) != outcome_of(node->against) ||
	       strcmp(first_cause(node->verdict), first_cause(node->against)) != 0;
}

/* "gpu-missing: drain", "not decided: ecc-uncorrectable", or why a snapshot was not read. */
static const char *reason_of(const struct rehearsed *node, struct arena *a)
{
	const struct node_finding *f;

	if (node->unread)
		return node->unread;
	f = first_finding(node->verdict);
	if (f)
		return arena_format(a, "%s: %s", f->cause, f->action);
	if (node->verdict->why[0])
		return node->verdict->why;
	return node->verdict->unknown_count > 0
		       ? arena_format(a, "not decided: %s", node->verdict->unknown[0])
		       : "";
}

static const char *const words[REHEARSED_OUTCOMES] = { "drained", "only reported", "unclear",
						       "passes", "not read" };

static const char *word_of(const struct node_verdict *v, struct arena *a)
{
	const char *cause = first_cause(v);

	return cause[0] ? arena_format(a, "%s (%s)", words[outcome_of(v)], cause)
			: words[outcome_of(v)];
}

/* ---- machines with the same outcome ---- */

struct group {
	const char *key;
	const char **nodes; /* with the PCI address, if there is one */
	size_t count;
};

struct groups {
	struct arena arena;
	struct group *list;
	size_t count;
	size_t nodes;
};

static struct group *find_group(struct groups *g, const char *key)
{
	for (size_t i = 0; i < g->count; i++)
		if (strcmp(g->list[i].key, key) == 0)
			return &g->list[i];
	g->list = arena_grow(&g->arena, g->list, g->count, sizeof(*g->list));
	g->list[g->count] = (struct group){ .key = key };
	return &g->list[g->count++];
}

static void add_node(struct groups *g, const char *key, const char *node)
{
	struct group *group = find_group(g, key);

	group->nodes = arena_grow(&g->arena, group->nodes, group->count, sizeof(*group->nodes));
	group->nodes[group->count++] = node;
	g->nodes++;
}

static int most_first(const void *a, const void *b)
{
	const struct group *x = a, *y = b;

	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return strcmp(x->key, y->key);
}

static void write_groups(struct groups *g, struct buf *ret)
{
	if (g->count > 0)
		qsort(g->list, g->count, sizeof(*g->list), most_first);
	for (size_t i = 0; i < g->count; i++) {
		const struct group *group = &g->list[i];

		buf_addf(ret, "  %4zu  %s\n       ", group->count, group->key);
		for (size_t n = 0; n < group->count && n < NODES_SHOWN; n++)
			buf_addf(ret, "%s %s", n ? "," : "", group->nodes[n]);
		if (group->count > NODES_SHOWN)
			buf_addf(ret, " and %zu more", group->count - NODES_SHOWN);
		buf_char(ret, '\n');
	}
}

static const char *name_node(const struct rehearsed *node, struct arena *a)
{
	const struct node_finding *f = node->unread ? NULL : first_finding(node->verdict);

	return f && f->subject[0] ? arena_format(a, "%s (%s)", node->node, f->subject) : node->node;
}

static size_t group_outcome(const struct rehearsal *r, enum rehearsed_outcome outcome,
			    struct groups *ret)
{
	*ret = (struct groups){ 0 };
	for (size_t i = 0; i < r->count; i++)
		if (rehearsed_outcome(&r->nodes[i]) == outcome)
			add_node(ret, reason_of(&r->nodes[i], &ret->arena),
				 name_node(&r->nodes[i], &ret->arena));
	return ret->nodes;
}

/* ---- text ---- */

static const char *plural(size_t count)
{
	return count == 1 ? "" : "s";
}

/* The limit is written into each verdict that gate.conf was put to. */
static uint64_t limit_of(const struct rehearsal *r)
{
	for (size_t i = 0; i < r->count; i++)
		if (!r->nodes[i].unread)
			return r->nodes[i].verdict->max_drained;
	return 0;
}

static void write_drained(const struct rehearsal *r, struct buf *ret)
{
	uint64_t limit = limit_of(r);
	struct groups g;
	size_t count = group_outcome(r, REHEARSED_DRAIN, &g);

	buf_addf(ret, "Would drain %zu of %zu node%s", count, r->count, plural(r->count));
	buf_text(ret, r->conf ? "\n" : ": without --config nothing is enforced\n");
	write_groups(&g, ret);
	if (count > limit)
		buf_addf(ret,
			 "max_drained is %llu: with all of them ill at once, %zu would stay in "
			 "service\n",
			 (unsigned long long)limit, count - (size_t)limit);
	arena_done(&g.arena);
}

static void write_outcome(const struct rehearsal *r, enum rehearsed_outcome outcome,
			  const char *title, struct buf *ret)
{
	struct groups g;
	size_t count = group_outcome(r, outcome, &g);

	if (count > 0)
		buf_addf(ret, "\n%zu node%s %s\n", count, plural(count), title);
	write_groups(&g, ret);
	arena_done(&g.arena);
}

static void write_changes(const struct rehearsal *r, struct buf *ret)
{
	struct groups g = { 0 };

	for (size_t i = 0; i < r->count; i++) {
		const struct rehearsed *node = &r->nodes[i];

		if (rehearsed_differs(node))
			add_node(&g,
				 arena_format(&g.arena, "%s -> %s",
					      word_of(node->verdict, &g.arena),
					      word_of(node->against, &g.arena)),
				 node->node);
	}
	buf_addf(ret, "\nWith %s %zu node%s would be treated otherwise\n", r->against, g.nodes,
		 plural(g.nodes));
	write_groups(&g, ret);
	arena_done(&g.arena);
}

void rehearsal_text(const struct rehearsal *r, struct buf *ret)
{
	write_drained(r, ret);
	write_outcome(r, REHEARSED_OBSERVE,
		      "with a fault that is only reported: no enforce line for its cause, or the "
		      "line allows less",
		      ret);
	write_outcome(r, REHEARSED_UNCLEAR, "could not be judged and would take jobs", ret);
	write_outcome(r, REHEARSED_UNREAD, "could not be read", ret);
	if (r->against)
		write_changes(r, ret);
}

/* ---- JSON ---- */

static void write_verdict(struct json *j, const char *key, const struct node_verdict *v)
{
	static const char *const names[] = { "drain", "observe", "unclear", "pass" };
	const struct node_finding *f = first_finding(v);

	json_string(j, key, names[outcome_of(v)]);
	json_open(j, strcmp(key, "would") == 0 ? "because" : "because_against", '{');
	if (f) {
		json_string(j, "cause", f->cause);
		json_string(j, "subject", f->subject);
		json_string(j, "action", f->action);
	} else if (v->unknown_count > 0) {
		json_string(j, "not_decided", v->unknown[0]);
	}
	json_close(j, '}');
}

void rehearsal_json(const struct rehearsal *r, struct buf *ret)
{
	for (size_t i = 0; i < r->count; i++) {
		const struct rehearsed *node = &r->nodes[i];
		struct json j = json_on(ret);

		j.compact = true;
		json_open(&j, NULL, '{');
		json_string(&j, "node", node->node);
		if (node->unread)
			json_string(&j, "error", node->unread);
		else
			write_verdict(&j, "would", node->verdict);
		if (!node->unread && node->against)
			write_verdict(&j, "against", node->against);
		json_close(&j, '}');
	}
}
