#include "cli/explain-answer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/explain-follow.h"
#include "cli/explain-format.h"
#include "cli/open.h"
#include "cli/progress-line.h"
#include "cli/say.h"
#include "cli/terminal-style.h"
#include "explain/explain-scrub.h"
#include "explain/fit.h"

#define FIRST_BYTES 4096 /* that tell whether a file is text */

/* ---- statements ---- */

static int read_facts(struct explain_input *in, const char *path)
{
	int r = explain_input_facts(in, path);

	if (r == -EBADMSG)
		say("%s: not a JSON object; example: {\"gfx\": \"gfx1100\", \"rocm\": \"6.2.0\"}",
		    path);
	else if (r < 0)
		say("%s: %s", path, strerror(-r));
	return r < 0 ? EXIT_NO_INPUT : 0;
}

static int read_statement(struct explain_input *in, const char *word)
{
	const char *equals = strchr(word, '=');
	const char *name;

	if (!equals || equals == word)
		return say_usage("explain", "--set takes NAME=VALUE, for example gfx=gfx1100");
	name = arena_text(&in->arena, (struct span){ word, (size_t)(equals - word) });
	if (!explain_input_state(in, name, equals + 1, "--set"))
		return say_usage("explain",
				 "--set %s: unknown name; use gfx, gpu, rocm, "
				 "framework, version, os, kernel, env:NAME, ...",
				 name);
	return 0;
}

int explain_answer_stated(const struct options *o, struct explain_input *ret)
{
	int status = o->facts ? read_facts(ret, o->facts) : 0;

	for (size_t i = 0; status == 0 && i < o->set_count; i++)
		status = read_statement(ret, o->set[i]);
	return status;
}

/* ---- a file without an answer ---- */

static bool scrub_name(const struct explain_answer *a, const char **name)
{
	const struct context *at_hand = a->here ? a->here : a->bare;
	const char *used = NULL;
	struct explanation none = { 0 };
	struct explain_scrub scrub = { .leaves = explain_format_of(a->options)->leaves,
				       .key = a->options->scrub_key,
				       .file = name,
				       .used = &used };
	struct context own;
	bool good;

	if (a->options->no_scrub)
		return true;
	if (at_hand)
		return explain_scrub(&none, context_db(at_hand), &scrub);
	if (open_bare(a->options, &own) != 0)
		return false;
	good = explain_scrub(&none, context_db(&own), &scrub);
	context_close(&own);
	return good;
}

void explain_answer_none(const struct explain_answer *a, const char *path, const char *why,
			 struct buf *ret)
{
	const struct explain_format *format = explain_format_of(a->options);
	struct page page = terminal_page(ret, a->options->output);
	struct buf clean BUF_SCOPED = { 0 };
	struct explain_unread unread = { .why = why, .pages = format->pages };

	if (!format->unread)
		return;
	text_clean(&clean, span_of(path), false);
	unread.file = clean.data;
	if (scrub_name(a, &unread.file))
		format->unread(&unread, &page);
}

/* ---- logs ---- */

/* Returns true if stdin is a terminal: then a prompt is printed before reading. */
static bool is_typed(const char *path)
{
	return strcmp(path, "-") == 0 && isatty(STDIN_FILENO);
}

static void show_progress(void *progress, unsigned long long bytes)
{
	char text[64];

	snprintf(text, sizeof(text), "%llu MB read", bytes / 1000000);
	progress_line_say(progress, text);
}

const char *explain_answer_reason(int error, const struct explain_form *form)
{
	if (error == -EILSEQ && form)
		return form->unpack ? "it is packed in a way that rocsteady does not read"
				    : "it is a program, not a log";
	return error == -EISDIR ? "it is a directory" : strerror(-error);
}

static int say_unread(const char *path, int error, const struct explain_form *form)
{
	struct buf word BUF_SCOPED = { 0 };

	text_operand(&word, span_of(path));
	if (error == -EILSEQ && form && form->unpack)
		say("%s is packed; try: %s %s | rocsteady explain", path, form->unpack, word.data);
	else if (error == -EILSEQ && form)
		say("%s is a program, not a log; try: rocsteady targets %s", path, word.data);
	else if (error == -EISDIR)
		say("%s is a directory; name the log in it", path);
	else if (error == -EACCES)
		say("%s: %s; try: sudo cat %s | rocsteady explain", path, strerror(-error),
		    word.data);
	else if (error == -ENOENT)
		say("%s: %s; to explain a text, give it in quotes", path, strerror(-error));
	else
		say("%s: %s", path, strerror(-error));
	return EXIT_NO_INPUT;
}

static int follow(struct explain_input *in, const char *path)
{
	struct scan *scan = log_scan(in->signatures);
	int r = explain_follow(scan, in->signatures, path);

	if (r == 0)
		explain_input_add(in, scan, path);
	else
		scan_free(scan);
	return r == 0 ? 0 : say_unread(path, r, NULL);
}

/* A file found in a directory is tested before it is read: a checkpoint has many gigabytes. */
static enum explain_outcome look_at(const char *path)
{
	char first[FIRST_BYTES];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, first, sizeof(first));

	if (fd >= 0)
		close(fd);
	if (n == 0)
		return EXPLAIN_OUTCOME_EMPTY;
	return n < 0 || reader_may_be_log((struct span){ first, (size_t)n })
		       ? EXPLAIN_OUTCOME_ANSWER
		       : EXPLAIN_OUTCOME_BINARY;
}

/* Files that are read in parallel show no progress. */
static int read_log(const struct explain_answer *a, struct explain_input *in, const char *path,
		    struct buf *ret)
{
	const struct explain_form *form = NULL;
	struct progress_line progress;
	struct explain_reading reading = { show_progress, &progress };
	int r;

	progress_line_start(&progress);
	r = explain_input_read(in, path, a->is_part || is_typed(path) ? NULL : &reading, &form);
	progress_line_end(&progress);
	if (r < 0 && a->is_part)
		explain_answer_none(a, path, explain_answer_reason(r, form), ret);
	return r == 0 ? 0 : say_unread(path, r, form);
}

static int read_text(struct explain_input *in, const char *text)
{
	const struct explain_form *form = NULL;
	const char *line = arena_format(&in->arena, "%s\n", text);
	int r = explain_input_text(in, span_of(line), &form);

	return r == 0 ? 0 : say_unread("the text", r, form);
}

/* With --together, binary files are skipped and reported. */
static int read_found(const struct explain_answer *a, struct explain_input *in, const char *path,
		      struct buf *ret)
{
	enum explain_outcome outcome = look_at(path);
	int status = 0;

	if (outcome == EXPLAIN_OUTCOME_EMPTY)
		return 0;
	if (outcome == EXPLAIN_OUTCOME_BINARY)
		say("%s: left out, it is not text", path);
	else
		status = read_log(a, in, path, ret);
	if (outcome == EXPLAIN_OUTCOME_BINARY || status == EXIT_NO_INPUT)
		explain_input_leave_out(in, path);
	return status == EXIT_NO_INPUT ? 0 : status;
}

/* Each that was named and cannot be read is told, and then there is no answer. */
static int read_logs(const struct explain_answer *a, const struct explain_file *files, size_t count,
		     struct explain_input *in, struct buf *ret)
{
	int status = 0;

	for (size_t i = 0; (status == 0 || status == EXIT_NO_INPUT) && i < count; i++) {
		const char *path = files[i].path;
		int one;

		if (!files[i].text && is_typed(path))
			say("paste the error message here, then press Enter and Ctrl-D; "
			    "or name a file: rocsteady explain train.log");
		if (files[i].text)
			one = read_text(in, files[i].text);
		else if (a->options->follow)
			one = follow(in, path);
		else if (files[i].found && a->options->together)
			one = read_found(a, in, path, ret);
		else
			one = read_log(a, in, path, ret);
		status = one != 0 ? one : status;
	}
	return status;
}

/* ---- the answer ---- */

static int exit_status(enum belief word)
{
	static const int statuses[] = { [BELIEF_NOTHING] = EXIT_FINE,
					[BELIEF_NOT_RECOGNISED] = EXIT_UNDECIDED,
					[BELIEF_UNDECIDED] = EXIT_UNDECIDED,
					[BELIEF_LIKELY] = EXIT_PROBLEM,
					[BELIEF_CERTAIN] = EXIT_PROBLEM };

	return statuses[word];
}

static enum shell shell_of(const struct options *o, sqlite3 *db)
{
	enum shell shell = SHELL_BASH;

	if (!o->shell)
		return steps_stated(db);
	steps_shell(o->shell, &shell);
	return shell;
}

static struct explain_answered judge(const struct explain_answer *a, const struct context *d,
				     const char *used, const struct explain_input *in,
				     struct buf *ret)
{
	const struct options *o = a->options;
	struct page page = terminal_page(ret, o->output);
	struct explanation e;
	struct explain_report report = { .explanation = &e,
					 .file = in->count == 1 ? in->logs[0].name : NULL,
					 .used = used,
					 .lines = in->lines,
					 .kb_version = a->kb_version,
					 .verbose = o->verbose,
					 .scrubbed = explain_format_of(o)->leaves && !o->no_scrub,
					 .shell = shell_of(o, context_db(d)),
					 .left_out = in->left_out,
					 .left_out_count = in->left_out_count,
					 .id = a->id,
					 .pages = explain_format_of(o)->pages };
	struct explain_scrub scrub = { .leaves = explain_format_of(o)->leaves,
				       .key = o->scrub_key,
				       .file = &report.file,
				       .used = &report.used,
				       .left_out = in->left_out,
				       .left_out_count = in->left_out_count,
				       .withholder = &a->engine->withholder };
	struct explain_answered done = { .outcome = EXPLAIN_OUTCOME_UNREAD,
					 .status = EXIT_OWN_FAULT };

	a->engine->steps_alone = !explain_format_lists(o);
	if (engine_explain(a->engine, context_db(d), explain_input_failure(in),
			   explain_input_is_silent(in), &e) < 0) {
		say_unread_tables();
		return done;
	}
	if (explain_format_of(o)->is_read)
		explain_name_lines(&e);
	if (o->no_scrub || explain_scrub(&e, context_db(d), &scrub)) {
		explain_format_of(o)->write(&report, a->is_part, &page);
		done = (struct explain_answered){ .word = e.word, .status = exit_status(e.word) };
		if (done.status == EXIT_FINE && in->left_out_count > 0)
			done.status = EXIT_UNDECIDED; /* nobody looked at all of it */
	} else {
		say("names and secrets could not be replaced");
	}
	explain_done(&e);
	return done;
}

static bool is_stated(const struct explain_input *in)
{
	return in->stated_count > 0 || in->facts;
}

static const char *used_text(const struct explain_input *in)
{
	return is_stated(in) ? "Based on the text and what you stated" : "Based on the text alone";
}

/* The log decides whether it can be about this machine at all. */
static struct explain_answered join(const struct explain_answer *a, const struct explain_input *in,
				    const struct context *log, struct context *here,
				    struct buf *ret)
{
	const char *called = a->options->context.from ? "the snapshot" : "this machine";
	struct buf used BUF_SCOPED = { 0 }, why BUF_SCOPED = { 0 };

	if (fit_machine(context_db(log), context_db(here), called, &why)) {
		explain_input_tell(in, here->machine.facts, true);
		buf_addf(&used, "Based on the text%s and %s",
			 is_stated(in) ? ", what you stated" : "", called);
		return judge(a, here, used.data, in, ret);
	}
	buf_addf(&used, "%s: %s", used_text(in), why.data);
	return judge(a, log, used.data, in, ret);
}

static struct explain_answered open_and_join(const struct explain_answer *a,
					     const struct explain_input *in,
					     const struct context *log, struct buf *ret)
{
	struct explain_answered done = { .outcome = EXPLAIN_OUTCOME_UNREAD };
	struct context here;

	done.status = open_context(a->options, &here);
	if (done.status == 0)
		done = join(a, in, log, &here, ret);
	context_close(&here);
	return done;
}

/* A single word of which nothing is known was more likely meant as the name of a file. */
static struct explain_answered take_for_name(const struct explain_file *file,
					     struct explain_answered done)
{
	if (done.outcome != EXPLAIN_OUTCOME_ANSWER ||
	    (done.word != BELIEF_NOTHING && done.word != BELIEF_NOT_RECOGNISED))
		return done;
	say("%s: %s, and no error message that is known", file->text, strerror(ENOENT));
	return (struct explain_answered){ .outcome = EXPLAIN_OUTCOME_UNREAD,
					  .status = EXIT_NO_INPUT };
}

static struct explain_answered work(const struct explain_answer *a,
				    const struct explain_file *files, size_t count,
				    struct explain_input *in, struct context *log, struct buf *ret)
{
	struct explain_answered done = { .outcome = EXPLAIN_OUTCOME_UNREAD };

	done.status = read_logs(a, files, count, in, ret);
	if (done.status == 0)
		done = explain_answer_read(a, in, log, ret);
	return files[0].doubtful ? take_for_name(&files[0], done) : done;
}

struct explain_answered explain_answer_read(const struct explain_answer *a,
					    const struct explain_input *in, struct context *log,
					    struct buf *ret)
{
	bool joins = a->here || explain_answer_joins(a->options);

	if (!joins && engine_knows(a->engine, in))
		return judge(a, log, used_text(in), in, ret);
	explain_input_tell(in, log->machine.facts, false);
	if (a->here)
		return join(a, in, log, a->here, ret);
	if (joins)
		return open_and_join(a, in, log, ret);
	facts_end(log->machine.facts);
	return judge(a, log, used_text(in), in, ret);
}

struct explain_input explain_answer_input(const struct explain_answer *a)
{
	return (struct explain_input){ .signatures = &a->engine->signatures,
				       .scan = a->engine->scan,
				       .facts = a->stated->facts,
				       .facts_path = a->stated->facts_path,
				       .stated = a->stated->stated,
				       .stated_count = a->stated->stated_count };
}

bool explain_answer_joins(const struct options *o)
{
	return !o->no_machine && !o->batch && (o->context.from || machine_here());
}

struct explain_answered explain_answer(const struct explain_answer *a,
				       const struct explain_file *files, size_t count,
				       struct buf *ret)
{
	struct explain_input in = explain_answer_input(a);
	struct explain_answered done = { 0 };
	struct context log;

	if (a->passes_over && count == 1 && files[0].found)
		done.outcome = look_at(files[0].path);
	if (done.outcome != EXPLAIN_OUTCOME_ANSWER) {
		explain_answer_none(a, files[0].path,
				    done.outcome == EXPLAIN_OUTCOME_EMPTY ? "it is empty"
									  : "it is not text",
				    ret);
		return done;
	}
	done.status = a->bare ? 0 : open_bare(a->options, &log);
	if (done.status == 0)
		done = work(a, files, count, &in, a->bare ? a->bare : &log, ret);
	else
		done.outcome = EXPLAIN_OUTCOME_UNREAD;
	explain_input_done(&in);
	if (!a->bare)
		context_close(&log);
	return done;
}
