#include "cli/check-many.h"

#include <stdio.h>
#include <string.h>

#include "base/json-write.h"
#include "cli/check-judge.h"
#include "cli/fleet-load.h"
#include "cli/pool.h"
#include "cli/progress-line.h"
#include "cli/say.h"
#include "facts/select.h"
#include "report/check-nodes.h"

#define AT_A_TIME 32 /* snapshots of one process */

struct many {
	const struct options *options;
	struct context *context;
	struct acks *acks;
	struct snapshots files;
	struct check_nodes sum;
	struct buf text; /* that waits to be written */
	int status;
	struct progress_line progress;
};

/* Before the text of a node. */
struct head {
	int status;
	enum check_nodes_answer answer;
	size_t size;
};

/* ---- in a process of its own ---- */

static void write_unread(const struct many *m, const char *node, const char *why, struct buf *ret)
{
	struct json j = json_on(ret);

	if (!m->options->json) {
		check_nodes_line(node, why, ret);
		return;
	}
	j.compact = true;
	json_open(&j, NULL, '{');
	json_string(&j, "node", node);
	json_string(&j, "error", why);
	json_close(&j, '}');
}

/* A healthy node gets no sentence of its own: it would be the same for each node. */
static const char *sentence_of(const struct check_report *r, struct arena *a)
{
	return r->diagnosis->verdict == VERDICT_READY ? "Ready" : check_sentence(r, a);
}

static struct head judge_node(struct many *m, const char *node, struct buf *ret)
{
	struct check_judged j;
	struct arena arena = { 0 };
	struct head head;

	knowledge_note(context_db(m->context), &m->context->knowledge);
	if (check_judge(m->options, m->context, m->acks, false, &j) != 0 || select_error()) {
		write_unread(m, node,
			     "the facts or the knowledge base could not be read completely", ret);
		select_forget(); /* what fails of one node is not held against the next */
		return (struct head){ EXIT_OWN_FAULT, CHECK_NODES_UNREAD, 0 };
	}
	j.report.node = node;
	if (m->options->json && m->options->verbose)
		check_json(&j.report, ret);
	else if (m->options->json)
		check_nodes_json(&j.report, ret);
	else
		check_nodes_line(node, sentence_of(&j.report, &arena), ret);
	head = (struct head){ diagnose_exit_status(j.diagnosis.verdict),
			      (enum check_nodes_answer)j.diagnosis.verdict, 0 };
	check_judged_done(&j);
	arena_done(&arena);
	return head;
}

static void answer_one(struct many *m, const struct snapshots_file *file, struct buf *ret)
{
	struct buf said BUF_SCOPED = { 0 }, text BUF_SCOPED = { 0 };
	struct head head = { EXIT_UNDECIDED, CHECK_NODES_UNREAD, 0 };

	if (snapshots_open(file, &m->options->context, &m->context->machine, &said) == 0) {
		say_lines(&said);
		head = judge_node(m, file->node, &text);
	} else {
		say_lines(&said);
		write_unread(m, file->node, snapshots_reason(&said), &text);
	}
	head.size = text.len;
	buf_add(ret, &head, sizeof(head));
	buf_span(ret, buf_get(&text));
}

static void answer_part(void *ctx, size_t part, struct buf *ret)
{
	struct many *m = ctx;
	size_t end = (part + 1) * AT_A_TIME;

	for (size_t i = part * AT_A_TIME; i < end && i < m->files.count; i++)
		answer_one(m, &m->files.list[i], ret);
}

/* ---- here ---- */

/* A node that is not ready is worse than an unknown one, and that is worse than a degraded one. */
static int worst(int a, int b)
{
	static const int order[] = { EXIT_OWN_FAULT, EXIT_PROBLEM, EXIT_UNDECIDED, EXIT_DEGRADED };

	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++)
		if (a == order[i] || b == order[i])
			return order[i];
	return EXIT_FINE;
}

static void take_node(struct many *m, const struct head *head, struct span text)
{
	m->status = worst(m->status, head->status);
	m->sum.answers[head->answer]++;
	if (!m->options->quiet && !(m->options->problems && head->answer == CHECK_NODES_READY))
		buf_span(&m->text, text);
}

static void take_death(struct many *m, const struct snapshots_file *file)
{
	struct head head = { EXIT_OWN_FAULT, CHECK_NODES_UNREAD, 0 };
	struct buf text BUF_SCOPED = { 0 };

	say("%s: no answer: rocsteady died in this part of the snapshots", file->path);
	write_unread(m, file->node, "rocsteady died in this part of the snapshots", &text);
	take_node(m, &head, buf_get(&text));
}

/* The text is written at once and not kept, unless --output takes all of it as one file. */
static void write_some(struct many *m)
{
	if (m->options->output || m->text.len == 0)
		return;
	if (say_answer(NULL, buf_get(&m->text)) != 0)
		m->status = EXIT_OWN_FAULT;
	buf_clear(&m->text);
}

static struct span take_bytes(struct span *rest, size_t size)
{
	struct span bytes = { rest->data, size < rest->len ? size : rest->len };

	*rest = (struct span){ rest->data + bytes.len, rest->len - bytes.len };
	return bytes;
}

static void take_part(void *ctx, size_t part, struct span answer, bool whole)
{
	struct many *m = ctx;
	size_t end = (part + 1) * AT_A_TIME;
	char text[64];

	(void)whole; /* what is missing shows */
	end = end < m->files.count ? end : m->files.count;
	for (size_t i = part * AT_A_TIME; i < end; i++) {
		struct head head;

		if (answer.len < sizeof(head)) {
			take_death(m, &m->files.list[i]);
			continue;
		}
		memcpy(&head, take_bytes(&answer, sizeof(head)).data, sizeof(head));
		take_node(m, &head, take_bytes(&answer, head.size));
	}
	write_some(m);
	snprintf(text, sizeof(text), "%zu of %zu snapshots", end, m->files.count);
	progress_line_say(&m->progress, text);
}

static int judge_all(struct many *m)
{
	struct pool pool = { .count = (m->files.count + AT_A_TIME - 1) / AT_A_TIME,
			     .ctx = m,
			     .work = answer_part,
			     .done = take_part,
			     .in_order = true };
	int r;

	m->sum.nodes = m->files.count;
	progress_line_start(&m->progress);
	r = pool_run(&pool);
	progress_line_end(&m->progress);
	if (r < 0) {
		say("no process could be started: %s", strerror(-r));
		return EXIT_OWN_FAULT;
	}
	if (m->sum.answers[CHECK_NODES_UNREAD] == m->files.count && m->status == EXIT_UNDECIDED) {
		say("none of %zu snapshots could be read", m->files.count);
		return EXIT_NO_INPUT;
	}
	if (!m->options->json && !m->options->quiet)
		check_nodes_sum(&m->sum, &m->text);
	r = m->text.len > 0 ? say_answer(m->options->output, buf_get(&m->text)) : 0;
	return r != 0 ? r : m->status;
}

int check_many(const struct options *o, struct context *context, struct acks *acks)
{
	struct many m = { .options = o, .context = context, .acks = acks };
	int status = fleet_list(o->context.from, &m.files);

	if (status == 0)
		status = judge_all(&m);
	buf_done(&m.text);
	snapshots_done(&m.files);
	return status;
}
