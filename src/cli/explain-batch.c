#include "cli/explain-batch.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/fd-lines.h"
#include "cli/say.h"
#include "facts/select.h"
#include "parse/json-tree.h"

struct batch {
	struct explain_answer answer; /* to one line */
	struct batch_line line;
	unsigned long long number; /* of the line, from 1 */
	struct buf out;
};

static void refuse(struct batch *b, const char *why)
{
	buf_clear(&b->out);
	explain_json_error(&b->line.id, b->number, why, &b->out);
}

/* NULL, or why there is no text. */
static const char *read_log(const struct batch_line *line, struct explain_input *in)
{
	const struct explain_form *form = NULL;
	int r = line->log.data ? explain_input_text(in, line->log, &form)
			       : explain_input_regular(in, line->path, &form);

	if (r == -EINVAL)
		return "it is not a regular file";
	return r < 0 ? explain_answer_reason(r, form) : NULL;
}

/* A failure in one log does not count against the next one. */
static void judge(struct batch *b, const struct explain_input *in)
{
	struct explain_answered done = explain_answer_read(&b->answer, in, b->answer.bare, &b->out);

	if (done.outcome != EXPLAIN_OUTCOME_ANSWER || select_error())
		refuse(b, "the knowledge base could not be read completely");
	select_forget();
}

/* To what was read of a line; `why`: it could not be. */
static void answer(struct batch *b, const char *why)
{
	struct explain_input in = explain_answer_input(&b->answer);

	buf_clear(&b->out);
	if (b->line.facts) {
		in.facts = b->line.facts;
		in.facts_path = "facts";
	}
	if (!why)
		why = read_log(&b->line, &in);
	if (why)
		refuse(b, why);
	else
		judge(b, &in);
	explain_input_done(&in);
	engine_clear(b->answer.engine);
}

/* stdout is closed: the remaining lines get no answers. */
static int write_line(struct span line)
{
	int status = say_answer(NULL, line);

	return status == 0 && ferror(stdout) ? EXIT_UNDECIDED : status;
}

/* As `gh issue list --json` prints it: all objects in one list, each of which gets a line. */
static int answer_list(struct batch *b, struct span text, struct arena *arena)
{
	struct json_node *list;
	int status = 0;

	b->line = (struct batch_line){ 0 };
	if (json_tree_parse(text, arena, &list, NULL) < 0) {
		answer(b, "not a JSON object");
		return write_line(buf_get(&b->out));
	}
	for (const struct json_node *n = list->children; n && status == 0; n = n->next) {
		answer(b, batch_line_of(n, arena, &b->line));
		status = write_line(buf_get(&b->out));
	}
	return status;
}

static int answer_line(struct batch *b, int r, struct span text)
{
	struct arena arena = { 0 };
	int status;

	b->line = (struct batch_line){ 0 };
	if (r > 0 && span_starts(span_trim(text), "[")) {
		status = answer_list(b, text, &arena);
	} else {
		answer(b, r > 0 ? batch_line_read(text, &arena, &b->line)
				: "more than 64 MiB in one line; name the log by its \"path\"");
		status = write_line(buf_get(&b->out));
	}
	arena_done(&arena);
	return status;
}

int explain_batch(const struct explain_answer *all)
{
	struct batch b = { .answer = *all };
	struct options json = *all->options;
	struct fd_lines lines = { .fd = STDIN_FILENO, .most = BATCH_LINE_MAX };
	struct span text;
	int r, status = 0;

	if (engine_keep(all->engine) < 0) {
		say_unread_tables();
		return EXIT_OWN_FAULT;
	}
	if (!json.format)
		json.format = "json";
	b.answer.options = &json;
	b.answer.id = &b.line.id;
	while (status == 0 && ((r = fd_lines_next(&lines, &text)) > 0 || r == -EFBIG)) {
		b.number++;
		if (r > 0 && span_trim(text).len == 0)
			continue;
		status = answer_line(&b, r, text);
	}
	if (status == 0 && r < 0) {
		say("standard input: %s", strerror(-r));
		status = EXIT_NO_INPUT;
	}
	fd_lines_done(&lines);
	buf_done(&b.out);
	return status;
}
