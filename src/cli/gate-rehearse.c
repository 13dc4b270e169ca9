#include "cli/gate-rehearse.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/fleet-load.h"
#include "cli/open.h"
#include "cli/pool.h"
#include "cli/progress-line.h"
#include "cli/say.h"
#include "facts/select.h"
#include "gate/look.h"
#include "gate/rehearsal.h"
#include "gate/site-files.h"

#define AT_A_TIME 32 /* snapshots of one process */

/* By which knowledge and which gate.conf a machine is judged. */
struct side {
	struct context_options options;
	struct context context;
	const char *conf; /* NULL: nothing is enforced */
	bool is_open;
};

struct rehearse {
	const struct options *options;
	struct acks acks;
	struct side sides[2]; /* the second one with --against alone */
	size_t side_count;
	bool same_knowledge; /* the sides differ by gate.conf: a machine is judged once */
	struct snapshots files;
	struct arena arena;
	struct rehearsed *nodes;
	bool lost;
	struct progress_line progress;
};

/* Before the verdicts of a machine, or the reason why there are none. */
struct head {
	size_t sizes[2]; /* of the verdicts */
	size_t unread;   /* of the reason; 0: there are verdicts */
};

/* ---- in a process of its own ---- */

static const char *judge(struct rehearse *r, struct side *s, const struct snapshots_file *file,
			 struct arena *a, struct node_verdict *ret)
{
	struct buf said BUF_SCOPED = { 0 };

	if (snapshots_open(file, &s->options, &s->context.machine, &said) != 0)
		return arena_text(a, span_of(snapshots_reason(&said)));
	if (look_at_machine(&s->context, &r->acks, a, ret, NULL) == 0 && !select_error())
		return NULL;
	select_forget(); /* what fails of one node is not held against the next */
	return "the facts or the knowledge base could not be read completely";
}

/* NULL, or why not. */
static const char *write_verdicts(struct rehearse *r, const struct snapshots_file *file,
				  struct arena *a, struct head *head, struct buf *ret)
{
	struct node_verdict v;

	for (size_t i = 0; i < r->side_count; i++) {
		struct side *s = &r->sides[i];
		const char *why = i > 0 && r->same_knowledge ? NULL : judge(r, s, file, a, &v);
		size_t before = ret->len;

		if (why)
			return why;
		if (s->conf)
			site_conf_apply(s->conf, a, &v);
		node_verdict_write(&v, ret);
		head->sizes[i] = ret->len - before;
	}
	return NULL;
}

static void answer_one(struct rehearse *r, const struct snapshots_file *file, struct buf *ret)
{
	struct buf text BUF_SCOPED = { 0 };
	struct arena arena = { 0 };
	struct head head = { 0 };
	const char *why = write_verdicts(r, file, &arena, &head, &text);

	if (why) {
		buf_clear(&text);
		buf_text(&text, why);
		head = (struct head){ .unread = text.len };
	}
	buf_add(ret, &head, sizeof(head));
	buf_span(ret, buf_get(&text));
	arena_done(&arena);
}

static void answer_part(void *ctx, size_t part, struct buf *ret)
{
	struct rehearse *r = ctx;
	size_t end = (part + 1) * AT_A_TIME;

	for (size_t i = part * AT_A_TIME; i < end && i < r->files.count; i++)
		answer_one(r, &r->files.list[i], ret);
}

/* ---- here ---- */

static struct span take_bytes(struct span *rest, size_t size)
{
	struct span bytes = { rest->data, size < rest->len ? size : rest->len };

	*rest = (struct span){ rest->data + bytes.len, rest->len - bytes.len };
	return bytes;
}

static const struct node_verdict *take_verdict(struct rehearse *r, struct span text)
{
	struct node_verdict *v = arena_alloc(&r->arena, sizeof(*v));

	return node_verdict_parse(&r->arena, text, v) ? v : NULL;
}

static void take_node(struct rehearse *r, size_t i, struct span *answer)
{
	struct rehearsed *node = &r->nodes[i];
	struct head head;

	*node = (struct rehearsed){ .node = r->files.list[i].node };
	if (answer->len < sizeof(head)) {
		r->lost = true;
		node->unread = "rocsteady died in this part of the snapshots";
		return;
	}
	memcpy(&head, take_bytes(answer, sizeof(head)).data, sizeof(head));
	if (head.unread > 0) {
		node->unread = arena_text(&r->arena, take_bytes(answer, head.unread));
		return;
	}
	node->verdict = take_verdict(r, take_bytes(answer, head.sizes[0]));
	if (r->side_count > 1)
		node->against = take_verdict(r, take_bytes(answer, head.sizes[1]));
	if (!node->verdict || (r->side_count > 1 && !node->against))
		node->unread = "its verdict is damaged";
}

static void take_part(void *ctx, size_t part, struct span answer, bool whole)
{
	struct rehearse *r = ctx;
	size_t end = (part + 1) * AT_A_TIME;
	char text[64];

	(void)whole; /* what is missing shows */
	end = end < r->files.count ? end : r->files.count;
	for (size_t i = part * AT_A_TIME; i < end; i++)
		take_node(r, i, &answer);
	snprintf(text, sizeof(text), "%zu of %zu snapshots", end, r->files.count);
	progress_line_say(&r->progress, text);
}

/* The site's file is the same for all nodes, so is what is wrong with it. */
static int check_ignored(const struct rehearse *r)
{
	for (size_t i = 0; i < r->files.count; i++) {
		const struct rehearsed *n = &r->nodes[i];

		if (n->unread)
			continue;
		if (n->verdict->ignored[0])
			say("%s", n->verdict->ignored);
		if (n->against && n->against->ignored[0])
			say("%s", n->against->ignored);
		return n->verdict->ignored[0] || (n->against && n->against->ignored[0])
			       ? EXIT_NO_INPUT
			       : 0;
	}
	say("none of %zu snapshots could be read; %s: %s", r->files.count, r->nodes[0].node,
	    r->nodes[0].unread);
	return EXIT_NO_INPUT;
}

static int status_of(const struct rehearse *r)
{
	int status = EXIT_FINE;

	if (r->lost)
		return EXIT_OWN_FAULT;
	for (size_t i = 0; i < r->files.count; i++) {
		if (r->side_count > 1 && rehearsed_differs(&r->nodes[i]))
			return EXIT_CHANGED;
		if (r->side_count == 1 && rehearsed_outcome(&r->nodes[i]) == REHEARSED_DRAIN)
			return EXIT_PROBLEM;
		if (r->nodes[i].unread)
			status = EXIT_UNDECIDED;
	}
	return status;
}

static int report(const struct rehearse *r)
{
	struct buf text BUF_SCOPED = { 0 };
	struct rehearsal all = { r->nodes, r->files.count, r->sides[0].conf, r->options->against };
	int status = check_ignored(r);

	if (status != 0)
		return status;
	if (r->options->json)
		rehearsal_json(&all, &text);
	else
		rehearsal_text(&all, &text);
	status = say_answer(r->options->output, buf_get(&text));
	return status != 0 ? status : status_of(r);
}

static int rehearse_all(struct rehearse *r)
{
	struct pool pool = { .count = (r->files.count + AT_A_TIME - 1) / AT_A_TIME,
			     .ctx = r,
			     .work = answer_part,
			     .done = take_part,
			     .in_order = true };
	int status;

	r->nodes = arena_alloc(&r->arena, sizeof(*r->nodes) * (r->files.count + 1));
	progress_line_start(&r->progress);
	status = pool_run(&pool);
	progress_line_end(&r->progress);
	if (status < 0) {
		say("no process could be started: %s", strerror(-status));
		return EXIT_OWN_FAULT;
	}
	return report(r);
}

/* ---- the two sides ---- */

/* A snapshot may be anywhere, so its gate.conf may, too; and one that is named must be there. */
static int take_conf(struct rehearse *r, const char *path, struct side *s)
{
	struct buf why BUF_SCOPED = { 0 };
	char *real = realpath(path, NULL);

	s->conf = real ? arena_text(&r->arena, span_of(real)) : NULL;
	free(real);
	if (s->conf && site_conf_is_good(s->conf, &why))
		return 0;
	say("%s", s->conf ? why.data : arena_format(&r->arena, "%s: %s", path, strerror(errno)));
	return EXIT_NO_INPUT;
}

static int open_side(const struct options *o, struct side *s)
{
	struct buf said BUF_SCOPED = { 0 };
	int status;

	s->options = look_options(&o->context);
	status = context_open_bare(&s->options, &s->context, &said);
	s->is_open = status == 0;
	say_lines(&said);
	return status;
}

static int open_second(struct rehearse *r)
{
	struct options second = *r->options;

	r->side_count = 2;
	r->same_knowledge = !fleet_is_database(second.against);
	r->sides[1].conf = r->sides[0].conf;
	if (r->same_knowledge)
		return take_conf(r, second.against, &r->sides[1]);
	second.context.kb = second.against;
	return open_side(&second, &r->sides[1]);
}

static int open_sides(struct rehearse *r)
{
	const struct options *o = r->options;
	int status = o->config ? take_conf(r, o->config, &r->sides[0]) : 0;

	r->side_count = 1;
	if (status == 0)
		status = open_side(o, &r->sides[0]);
	return status == 0 && o->against ? open_second(r) : status;
}

static void close_all(struct rehearse *r)
{
	for (size_t i = 0; i < r->side_count; i++)
		if (r->sides[i].is_open)
			context_close(&r->sides[i].context);
	ack_done(&r->acks);
	snapshots_done(&r->files);
	arena_done(&r->arena);
}

int gate_rehearse(const struct options *o)
{
	struct rehearse r = { .options = o };
	int status;

	if (o->reader || o->verdict || o->observed)
		return say_usage("gate", "of a directory of snapshots there are text and --json: "
					 "leave out --for, --verdict and --observed");
	status = fleet_list(o->context.from, &r.files);
	if (status == 0)
		status = open_sides(&r);
	if (status == 0) {
		open_acks(o, &r.acks);
		status = rehearse_all(&r);
	}
	close_all(&r);
	return status;
}
