#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/explain-follow.h"
#include "cli/open.h"
#include "cli/progress-line.h"
#include "cli/say.h"
#include "cli/terminal-style.h"
#include "explain/fit.h"
#include "explain/input.h"
#include "facts/select.h"
#include "report/explain.h"

/* ---- logs ---- */

/* Whoever types it without a file waits for us, and we for them. */
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

static int say_unread(const char *path, int error, const struct explain_form *form)
{
	if (error == -EILSEQ && form && form->unpack)
		say("%s is packed; try: %s %s | rocsteady explain", path, form->unpack, path);
	else if (error == -EILSEQ && form)
		say("%s is a program and no log; try: rocsteady targets %s", path, path);
	else if (error == -EISDIR)
		say("%s is a directory; name the log in it", path);
	else if (error == -EACCES)
		say("%s: %s; try: sudo cat %s | rocsteady explain", path, strerror(-error), path);
	else
		say("%s: %s", path, strerror(-error));
	return error == -ENOMEM ? EXIT_OWN_FAULT : EXIT_NO_INPUT;
}

static int follow(struct explain_input *in, const char *path)
{
	struct scan *scan = scan_new(in->signatures->list, in->signatures->count);
	int r = scan ? explain_follow(scan, in->signatures, path) : -ENOMEM;

	if (r == 0)
		r = explain_input_add(in, scan, path);
	else
		scan_free(scan);
	return r == 0 ? 0 : say_unread(path, r, NULL);
}

static int read_log(struct explain_input *in, const char *path)
{
	const struct explain_form *form = NULL;
	struct progress_line progress;
	struct explain_reading reading = { show_progress, &progress };
	int r;

	progress_line_start(&progress);
	r = explain_input_read(in, path, is_typed(path) ? NULL : &reading, &form);
	progress_line_end(&progress);
	return r == 0 ? 0 : say_unread(path, r, form);
}

static int read_logs(const struct options *o, struct explain_input *in)
{
	static const char *const input[] = { "-" };
	const char *const *paths = o->word_count > 0 ? o->words : input;
	int count = o->word_count > 0 ? o->word_count : 1;
	int status = 0;

	if (o->follow && count > 1)
		return say_usage("explain", "-f follows one file");
	for (int i = 0; status == 0 && i < count; i++) {
		if (is_typed(paths[i]))
			say("paste the error message here, then press Enter and Ctrl-D; "
			    "or name a file: rocsteady explain train.log");
		status = o->follow ? follow(in, paths[i]) : read_log(in, paths[i]);
	}
	return status;
}

/* ---- statements ---- */

static int read_facts(struct explain_input *in, const char *path)
{
	int r = explain_input_facts(in, path);

	if (r == -EBADMSG)
		say("%s: no JSON object; as {\"gfx\": \"gfx1100\", \"rocm\": \"6.2.0\"}", path);
	else if (r < 0)
		say("%s: %s", path, strerror(-r));
	return r < 0 ? EXIT_NO_INPUT : 0;
}

static int read_statement(struct explain_input *in, const char *word)
{
	const char *equals = strchr(word, '=');
	char name[64];

	if (!equals || equals == word || (size_t)(equals - word) >= sizeof(name))
		return say_usage("explain", "--set takes NAME=VALUE, as gfx=gfx1100");
	memcpy(name, word, (size_t)(equals - word));
	name[equals - word] = '\0';
	if (!explain_input_state(in, name, equals + 1, "--set"))
		return say_usage("explain",
				 "--set %s: not a thing that can be stated; gfx, gpu, rocm, "
				 "framework, version, os, kernel, env:NAME, ...",
				 name);
	return 0;
}

/* ---- the answer ---- */

static int exit_status(enum explain_word word)
{
	static const int statuses[] = { [EXPLAIN_NOTHING] = EXIT_FINE,
					[EXPLAIN_NOT_RECOGNISED] = EXIT_UNDECIDED,
					[EXPLAIN_UNDECIDED] = EXIT_UNDECIDED,
					[EXPLAIN_LIKELY] = EXIT_PROBLEM,
					[EXPLAIN_CERTAIN] = EXIT_PROBLEM };

	return statuses[word];
}

/* What was asked for; else what a log of Windows will want. */
static enum shell shell_of(const struct options *o, sqlite3 *db)
{
	enum shell shell = SHELL_BASH;
	sqlite3_stmt *stmt = NULL;

	if (o->shell) {
		steps_shell(o->shell, &shell);
		return shell;
	}
	stmt = select_from(db,
			   "SELECT 1 FROM statement WHERE name = 'system' AND value = 'windows'");
	if (select_next(stmt))
		shell = SHELL_POWERSHELL;
	sqlite3_finalize(stmt);
	return shell;
}

static int answer(const struct options *o, const struct context *d, const char *used,
		  const struct explain_input *in)
{
	struct buf text BUF_SCOPED = { 0 };
	struct page page = terminal_page(&text, o->output);
	struct explanation e;
	struct explain_report report = { .explanation = &e,
					 .used = used,
					 .lines = in->lines,
					 .kb_version = d->knowledge.info.version,
					 .verbose = o->verbose };
	int status;

	report.shell = shell_of(o, context_db(d));
	if (explain(context_db(d), explain_input_failure(in), &e) < 0) {
		say_unread_tables();
		return EXIT_OWN_FAULT;
	}
	if (o->json)
		explain_json(&report, &text);
	else
		explain_text(&report, &page);
	status = say_answer(o->output, buf_get(&text));
	if (status == 0)
		status = exit_status(e.word);
	explain_done(&e);
	return status;
}

/* What the log tells decides whether this machine may be asked at all. */
static int join(const struct options *o, const struct explain_input *in, struct context *log)
{
	struct buf used BUF_SCOPED = { 0 }, why BUF_SCOPED = { 0 };
	struct context here;
	int status = open_context(o, &here);

	if (status == 0 && fit_machine(context_db(log), context_db(&here), &why)) {
		explain_input_tell(in, here.machine.facts, true);
		status = answer(o, &here,
				o->context.from ? "from the text and the snapshot"
						: "from the text and this machine",
				in);
	} else if (status == 0) {
		buf_addf(&used, "from the text alone: %s", why.data);
		status = answer(o, log, used.data, in);
	}
	context_close(&here);
	return status;
}

static int work(const struct options *o, struct explain_input *in, struct context *log)
{
	int status = read_logs(o, in);

	if (status == 0 && o->facts)
		status = read_facts(in, o->facts);
	for (size_t i = 0; status == 0 && i < o->set_count; i++)
		status = read_statement(in, o->set[i]);
	if (status != 0)
		return status;
	explain_input_tell(in, log->machine.facts, false);
	if (!o->no_machine && (o->context.from || machine_here()))
		return join(o, in, log);
	facts_end(log->machine.facts);
	return answer(o, log, "from the text alone", in);
}

int cmd_explain(const struct options *o)
{
	struct log_signatures signatures = { 0 };
	struct explain_input in = { .signatures = &signatures };
	struct context log;
	int status = open_bare(o, &log);

	if (status == 0 && log_signatures_load(context_db(&log), &signatures) < 0) {
		say_unread_tables();
		status = EXIT_OWN_FAULT;
	}
	if (status == 0)
		status = work(o, &in, &log);
	explain_input_done(&in);
	log_signatures_done(&signatures);
	context_close(&log);
	return status;
}
