#include <errno.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/desk.h"
#include "cli/explain-input.h"
#include "cli/look.h"
#include "cli/say.h"
#include "explain/fit.h"
#include "report/explain.h"

/* 0 nothing found, 2 a cause, 3 undecided. */
static int exit_status(enum explain_word word)
{
	static const int statuses[] = { 0, 3, 2, 2 };

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
	if (sqlite3_prepare_v2(
		    db, "SELECT 1 FROM statement WHERE name = 'system' AND value = 'windows'", -1,
		    &stmt, NULL) == SQLITE_OK &&
	    sqlite3_step(stmt) == SQLITE_ROW)
		shell = SHELL_POWERSHELL;
	sqlite3_finalize(stmt);
	return shell;
}

static int answer(const struct options *o, const struct desk *d, const char *used,
		  unsigned long long lines)
{
	struct buf text BUF_SCOPED = { 0 };
	struct page page = look_page(&text, o->output);
	struct explanation e;
	struct explain_report report = { .explanation = &e,
					 .used = used,
					 .lines = lines,
					 .kb_version = d->knowledge.info.version,
					 .verbose = o->verbose };
	int status;

	report.shell = shell_of(o, desk_db(d));
	if (explain(desk_db(d), &e) < 0) {
		say("the knowledge cannot be read");
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
static int join(struct explain_input *in, struct desk *log)
{
	const struct options *o = in->options;
	struct buf used BUF_SCOPED = { 0 }, why BUF_SCOPED = { 0 };
	struct desk here;
	int status = desk_open(o, &here);

	if (status == 0 && fit_machine(desk_db(log), desk_db(&here), &why)) {
		status = explain_input_tell(in, here.machine.facts, true);
		if (status == 0)
			status = answer(o, &here,
					o->from ? "from the text and the snapshot"
						: "from the text and this machine",
					in->lines);
	} else if (status == 0) {
		buf_addf(&used, "from the text alone: %s", why.data);
		status = answer(o, log, used.data, in->lines);
	}
	desk_close(&here);
	return status;
}

static int work(struct explain_input *in, struct desk *log)
{
	int status = explain_input_read(in);

	if (status == 0)
		status = explain_input_tell(in, log->machine.facts, false);
	if (status != 0)
		return status;
	if (!in->options->no_machine && (in->options->from || machine_here()))
		return join(in, log);
	facts_end(log->machine.facts);
	return answer(in->options, log, "from the text alone", in->lines);
}

int cmd_explain(const struct options *o)
{
	struct log_signatures signatures = { 0 };
	struct explain_input in = { .options = o, .signatures = &signatures };
	struct desk log;
	int status = desk_open_bare(o, &log);

	if (status == 0 && log_signatures_load(desk_db(&log), &signatures) < 0) {
		say("the knowledge cannot be read");
		status = EXIT_OWN_FAULT;
	}
	if (status == 0)
		status = work(&in, &log);
	explain_input_done(&in);
	log_signatures_done(&signatures);
	desk_close(&log);
	return status;
}
