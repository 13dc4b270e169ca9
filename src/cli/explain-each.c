#include "cli/explain-each.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/explain-format.h"
#include "cli/open.h"
#include "cli/pool.h"
#include "cli/progress-line.h"
#include "cli/say-format.h"
#include "cli/say.h"
#include "cli/terminal-style.h"

#define SKIPPED_SHOWN 3

struct result {
	struct explain_answered done;
	struct span text;
	size_t nth;
};

struct each {
	const struct explain_answer *answer;
	const struct explain_files *files;
	struct result *results;
	size_t finished;
	struct arena arena;
	struct progress_line progress;
};

/* ---- one file, in a process of its own ---- */

static void explain_one(void *ctx, size_t item, struct buf *ret)
{
	const struct each *e = ctx;
	struct buf text BUF_SCOPED = { 0 };
	struct explain_answered done = explain_answer(e->answer, &e->files->list[item], 1, &text);

	if (done.outcome == EXPLAIN_OUTCOME_ANSWER && say_unread_tables() != 0)
		done = (struct explain_answered){ EXPLAIN_OUTCOME_UNREAD, 0, EXIT_OWN_FAULT };
	buf_add(ret, &done, sizeof(done));
	buf_span(ret, buf_get(&text));
}

static void take_death(struct each *e, struct result *r, const char *path)
{
	static const char why[] = "rocsteady died while it read this file";
	struct buf text BUF_SCOPED = { 0 };

	say("%s: %s", path, why);
	explain_answer_none(e->answer, path, why, &text);
	r->text = arena_span(&e->arena, buf_get(&text));
}

static void take_answer(void *ctx, size_t item, struct span answer, bool whole)
{
	struct each *e = ctx;
	struct result *r = &e->results[item];
	char text[48];

	*r = (struct result){ .done = { EXPLAIN_OUTCOME_UNREAD, 0, EXIT_OWN_FAULT }, .nth = item };
	if (whole && answer.len >= sizeof(r->done)) {
		memcpy(&r->done, answer.data, sizeof(r->done));
		r->text = arena_span(&e->arena, (struct span){ answer.data + sizeof(r->done),
							       answer.len - sizeof(r->done) });
	} else {
		take_death(e, r, e->files->list[item].path);
	}
	snprintf(text, sizeof(text), "%zu of %zu files", ++e->finished, e->files->count);
	progress_line_say(&e->progress, text);
}

/* ---- all of them ---- */

static void count(struct explain_summary *s, const struct result *r)
{
	size_t *const by_outcome[] = { NULL, &s->empty, &s->binary, &s->unread };

	if (r->done.outcome == EXPLAIN_OUTCOME_ANSWER)
		s->answers[r->done.word]++;
	else
		++*by_outcome[r->done.outcome];
}

/* The worst of 2, 3, 0; before them what kept a file that was named from being read. */
static int worst(int a, int b)
{
	static const int order[] = { EXIT_OWN_FAULT, EXIT_NO_INPUT, EXIT_USAGE, EXIT_PROBLEM,
				     EXIT_UNDECIDED };

	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++)
		if (a == order[i] || b == order[i])
			return order[i];
	return EXIT_FINE;
}

/* One that was only found is told and counted: its place in a directory says nothing of it. */
static int status_of(const struct result *r, const struct explain_file *f)
{
	bool unread = r->done.outcome == EXPLAIN_OUTCOME_UNREAD;

	return unread && f->found && r->done.status == EXIT_NO_INPUT ? EXIT_UNDECIDED
								     : r->done.status;
}

/* Certain before likely, and so on to fine. */
static int by_word(const void *a, const void *b)
{
	const struct result *x = a, *y = b;

	if (x->done.word != y->done.word)
		return (int)y->done.word - (int)x->done.word;
	return x->nth < y->nth ? -1 : 1;
}

static int write_all(struct each *e, const struct explain_summary *s)
{
	const struct explain_format *format = explain_format_of(e->answer->options);
	const char *output = e->answer->options->output;
	struct buf text BUF_SCOPED = { 0 };
	struct page page = terminal_page(&text, output);

	if (format->worst_first)
		qsort(e->results, e->files->count, sizeof(*e->results), by_word);
	if (format->begin)
		format->begin(s, &page);
	for (size_t i = 0; i < e->files->count; i++)
		buf_span(&text, e->results[i].text);
	if (format->end)
		format->end(s, &page);
	return say_format(e->answer->options->format, output, buf_get(&text));
}

/* Those that are no text, by name as long as they are few. */
static void say_skipped(const struct each *e, const struct explain_summary *s)
{
	size_t shown = 0;

	for (size_t i = 0; i < e->files->count && shown < SKIPPED_SHOWN; i++)
		if (e->results[i].done.outcome == EXPLAIN_OUTCOME_BINARY) {
			say("%s: skipped, it is not text", e->files->list[i].path);
			shown++;
		}
	if (s->binary > shown)
		say("%zu more files were skipped, which are not text", s->binary - shown);
}

/* If no file was judged, the status is an error: nothing was found fine. */
static int status_of_all(const struct each *e, const struct explain_summary *s)
{
	int status = EXIT_FINE;

	for (size_t i = 0; i < e->files->count; i++)
		status = worst(status, status_of(&e->results[i], &e->files->list[i]));
	return status == EXIT_FINE && s->files == s->empty + s->binary + s->unread ? EXIT_NO_INPUT
										   : status;
}

static int explain_all(struct each *e, unsigned int jobs)
{
	struct pool pool = { e->files->count, jobs, e, explain_one, take_answer };
	struct explain_summary s = { .files = e->files->count,
				     .kb_version = e->answer->kb_version,
				     .scrubbed = explain_format_of(e->answer->options)->leaves &&
						 !e->answer->options->no_scrub,
				     .pages = explain_format_of(e->answer->options)->pages };
	int r, status, written;

	e->results = arena_alloc(&e->arena, sizeof(*e->results) * e->files->count);
	progress_line_start(&e->progress);
	r = pool_run(&pool);
	progress_line_end(&e->progress);
	if (r < 0) {
		say("no process could be started: %s", strerror(-r));
		return EXIT_OWN_FAULT;
	}
	for (size_t i = 0; i < e->files->count; i++)
		count(&s, &e->results[i]);
	status = status_of_all(e, &s);
	say_skipped(e, &s);
	written = write_all(e, &s);
	return written != 0 ? written : status;
}

int explain_each(const struct explain_answer *all, const struct explain_files *files,
		 unsigned int jobs)
{
	struct explain_answer part = *all;
	struct each e = { .answer = &part, .files = files };
	struct context here;
	int status = 0;

	part.is_part = part.passes_over = true;
	if (!pool_separates)
		part.bare = NULL;
	if (explain_answer_joins(part.options)) {
		status = open_context(part.options, &here);
		part.here = &here;
	} else if (pool_separates && engine_warm(part.engine) < 0) {
		say_unread_tables();
		status = EXIT_OWN_FAULT;
	}
	if (status == 0)
		status = explain_all(&e, jobs);
	if (part.here)
		context_close(&here);
	arena_done(&e.arena);
	return status;
}
