#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/explain-batch.h"
#include "cli/explain-each.h"
#include "cli/explain-files.h"
#include "cli/open.h"
#include "cli/options.h"
#include "cli/run-report.h"
#include "cli/say-format.h"
#include "cli/say.h"
#include "cli/stated.h"
#include "explain/explain-scrub.h"

/* ---- explain scrubbed ---- */

/*
 * The text itself, without names and secrets.
 *
 * For a link, a forum or an issue: what a reader needs to ask about the same text.
 */

#define TEXT_MAX ((size_t)16 << 20)

static int read_path(const char *path, struct buf *ret)
{
	int fd = strcmp(path, "-") == 0 ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);
	int r = fd < 0 ? -errno : fd_all(fd, TEXT_MAX, ret);

	if (fd >= 0)
		close(fd);
	return r;
}

static int say_unread(const char *path, int error)
{
	if (error == -EFBIG)
		say("%s has more than %zu MiB: cut out the part that matters", path,
		    TEXT_MAX >> 20);
	else
		say("%s: %s", path, strerror(-error));
	return EXIT_NO_INPUT;
}

static int say_scrubbed(const struct options *o, struct span text)
{
	struct buf clean BUF_SCOPED = { 0 };

	if (explain_scrub_text(text, o->scrub_key, &clean) < 0) {
		say("no random number could be had for the pseudonyms");
		return EXIT_OWN_FAULT;
	}
	return say_answer(o->output, buf_get(&clean));
}

/* 0, or an exit status after saying what is wrong. */
static int explain_scrubbed(const struct options *o)
{
	struct buf text BUF_SCOPED = { 0 };
	struct explain_files files;
	int status = explain_files_find(o, &files);
	int r;

	if (status == 0 && files.count != 1) {
		explain_files_done(&files);
		return say_usage("explain", "--print-scrubbed takes one text");
	}
	if (status != 0)
		return status;
	r = files.list[0].text ? 0 : read_path(files.list[0].path, &text);
	if (files.list[0].text)
		buf_text(&text, files.list[0].text);
	if (r == 0 && text_is_binary(buf_get(&text)))
		status = say_usage("explain", "--print-scrubbed takes a text, and %s is none",
				   files.list[0].path);
	else if (r < 0)
		status = say_unread(files.list[0].path, r);
	else
		status = say_scrubbed(o, buf_get(&text));
	explain_files_done(&files);
	return status;
}

/* ---- cmd explain ---- */

#define JOBS_MAX 64

/* 0: as many as there are processors. */
static int read_jobs(const struct options *o, unsigned int *ret)
{
	char *end = NULL;
	unsigned long n = o->jobs ? strtoul(o->jobs, &end, 10) : 0;

	if (o->jobs && (*end || end == o->jobs || n < 1 || n > JOBS_MAX))
		return say_usage("explain", "--jobs takes a number from 1 to %d", JOBS_MAX);
	*ret = (unsigned int)n;
	return 0;
}

static int explain_together(const struct explain_answer *a, const struct explain_files *files)
{
	struct buf text BUF_SCOPED = { 0 };
	struct explain_answered done = explain_answer(a, files->list, files->count, &text);
	int status = done.outcome == EXPLAIN_OUTCOME_ANSWER
			     ? say_format(a->options->format, a->options->output, buf_get(&text))
			     : 0;

	return status != 0 ? status : done.status;
}

static int take_stated(const struct explain_answer *a, struct explain_input *stated)
{
	int status = explain_answer_stated(a->options, stated);

	if (status == 0)
		stated_doubt(stated, context_db(a->bare));
	return status;
}

static int work_on_files(struct explain_answer *a, struct explain_input *stated)
{
	const struct options *o = a->options;
	struct explain_files files;
	unsigned int jobs = 0;
	int status = read_jobs(o, &jobs);

	if (status == 0)
		status = explain_files_find(o, &files);
	if (status != 0)
		return status;
	if (o->no_machine && (o->context.from || o->context.root || o->context.host_root))
		status =
			say_usage("explain",
				  "use only one of --no-machine and --from, --root or --host-root");
	if (o->follow && files.count > 1)
		status = say_usage("explain", "-f follows one file: leave out the others");
	else if (o->follow && files.list[0].text)
		status = say_usage("explain", "-f follows a file, and \"%s\" is none",
				   files.list[0].text);
	for (size_t i = 0; status == 0 && i < files.count; i++)
		if (say_is_output(o->output, files.list[i].path))
			status = say_overwritten("explain", o->output);
	if (status == 0)
		status = take_stated(a, stated);
	if (status == 0)
		status = files.count == 1 || o->together ? explain_together(a, &files)
							 : explain_each(a, &files, jobs);
	if (status == EXIT_FINE && files.incomplete)
		status = EXIT_UNDECIDED;
	explain_files_done(&files);
	return status;
}

/* A batch comes from many machines, of which this one is none. */
static int work_on_batch(struct explain_answer *a, struct explain_input *stated)
{
	const struct options *o = a->options;
	int status;

	if (o->word_count > 0 || o->follow || o->together || o->jobs || o->output)
		return say_usage("explain", "--batch reads standard input and writes standard "
					    "output: leave out files, -f, -o, --together and "
					    "--jobs");
	if (o->context.from || o->context.root || o->context.host_root)
		return say_usage("explain", "--batch takes no machine: state what is known of one "
					    "as \"facts\" of its line");
	if (o->format && !o->json)
		return say_usage("explain", "--batch writes JSON, not %s", o->format);
	status = take_stated(a, stated);
	return status != 0 ? status : explain_batch(a);
}

static int work(struct explain_answer *a, struct explain_input *stated)
{
	const struct options *o = a->options;

	if (o->batch)
		return work_on_batch(a, stated);
	if (o->word_count == 1 && !o->follow && run_report_is_run(o->words[0]))
		return run_report_explain(o, o->words[0]);
	return work_on_files(a, stated);
}

/* The context and the engine, which an answer needs beside its text. */
struct workplace {
	struct context bare;
	struct engine engine;
	bool is_open;
};

static struct workplace kept;
static bool keeps;

void explain_keep(void)
{
	keeps = true;
}

static void close_workplace(struct workplace *w)
{
	engine_close(&w->engine);
	context_close(&w->bare);
	w->is_open = false;
}

static int open_workplace(const struct options *o, struct workplace *w)
{
	int status = open_bare(o, &w->bare);

	if (status == 0 && (engine_open(&w->engine, w->bare.machine.facts) < 0 ||
			    (w == &kept && engine_keep(&w->engine) < 0))) {
		say_unread_tables();
		status = EXIT_OWN_FAULT;
	}
	w->is_open = status == 0;
	return status;
}

int cmd_explain(const struct options *o)
{
	struct workplace own = { 0 };
	struct workplace *w = keeps && !o->batch && !o->context.kb ? &kept : &own;
	struct explain_input stated = { 0 };
	struct explain_answer a = {
		.options = o, .stated = &stated, .engine = &w->engine, .bare = &w->bare
	};
	int status;

	if (o->scrub)
		return explain_scrubbed(o);
	status = w->is_open ? 0 : open_workplace(o, w);
	a.kb_version = status == 0 ? w->bare.knowledge.info.version : NULL;
	if (status == 0)
		status = work(&a, &stated);
	explain_input_done(&stated);
	if (w == &kept && w->is_open)
		engine_clear(&w->engine);
	else
		close_workplace(w);
	return status;
}
