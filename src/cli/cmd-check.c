#include <errno.h>
#include <string.h>

#include "advise/wish.h"
#include "base/text.h"
#include "cli/ack-files.h"
#include "cli/commands.h"
#include "cli/knowledge.h"
#include "cli/look.h"
#include "cli/machine.h"
#include "cli/say.h"
#include "cli/walk.h"
#include "report/check.h"

/* ---- formats ---- */

static const struct format {
	const char *name;
	void (*write)(const struct check_report *r, struct buf *ret);
	bool leaves; /* made to be handed on: without names, if not said otherwise */
} formats[] = {
	{ "text", NULL, false },        { "json", check_json, false },
	{ "html", check_html, true },   { "markdown", check_markdown, true },
	{ "sarif", check_sarif, true },
};

static const struct format *format_of(const struct options *o)
{
	const char *name = o->json ? "json" : o->format ? o->format : "text";

	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		if (strcmp(formats[i].name, name) == 0)
			return &formats[i];
	return &formats[0];
}

static bool is_scrubbed(const struct options *o)
{
	return format_of(o)->leaves && !o->no_scrub;
}

/*
 * What is acknowledged may be named by a path with somebody's name in it: the
 * subjects go through the same replacement as the facts that they must match.
 */
static int scrub_machine(const struct options *o, struct machine *m, struct acks *acks)
{
	static const char question[] = "acknowledged";
	struct buf subjects BUF_SCOPED = { 0 }, plain BUF_SCOPED = { 0 };
	struct span rest, line;
	int status;

	for (size_t i = 0; i < acks->count; i++) {
		text_word(&subjects, span_of(acks->list[i].subject));
		buf_char(&subjects, '\n');
	}
	root_add(m->root, question, buf_get(&subjects));
	status = machine_scrub(m, o->scrub_key);
	if (status != 0 || root_ask(m->root, question, &rest) < 0)
		return status;
	for (size_t i = 0; i < acks->count && span_line(&rest, &line); i++) {
		buf_clear(&plain);
		if (text_unword(&plain, line))
			acks->list[i].subject = arena_text(&acks->arena, buf_get(&plain));
	}
	return 0;
}

/* ---- answers ---- */

static int no_cause(sqlite3 *db, const char *name)
{
	struct near near = near_to(name);

	knowledge_near(db, "SELECT slug FROM kb.cause", &near);
	return say_no("check", "cause", &near, "all of them: rocsteady kb list");
}

static int say_why(const struct options *o, struct machine *m, const struct diagnosis *all)
{
	struct buf text BUF_SCOPED = { 0 };
	struct page page = look_page(&text, o->output);
	struct diagnosis one;
	int r = diagnose(facts_db(m->facts), o->why, &one);

	if (r == -ENOENT)
		return no_cause(facts_db(m->facts), o->why);
	if (r < 0) {
		say("the knowledge cannot be read");
		return EXIT_OWN_FAULT;
	}
	why_text(&one, all, &page);
	diagnose_done(&one);
	return say_answer(o->output, buf_get(&text));
}

static int say_report(const struct options *o, const struct check_report *report)
{
	struct buf text BUF_SCOPED = { 0 };
	struct page page = look_page(&text, o->output);

	if (o->quiet)
		return 0;
	if (format_of(o)->write)
		format_of(o)->write(report, &text);
	else
		check_text(report, &page);
	return say_answer(o->output, buf_get(&text));
}

/* Only here, and only if there is something to try. */
static bool is_provable(const struct options *o, sqlite3 *db)
{
	sqlite3_stmt *stmt = NULL;
	bool found = false;

	if (o->from || o->root || o->host_root || o->probe)
		return false;
	if (sqlite3_prepare_v2(db, "SELECT 1 FROM agent", -1, &stmt, NULL) == SQLITE_OK)
		found = sqlite3_step(stmt) == SQLITE_ROW;
	sqlite3_finalize(stmt);
	return found;
}

static int judge(const struct options *o, struct machine *m, const struct kb_info *info,
		 struct acks *acks)
{
	struct diagnosis d;
	struct advice advice;
	struct check_report report = { .diagnosis = &d,
				       .acks = acks,
				       .facts = m->facts,
				       .kb_version = info->version,
				       .kb_digest = info->digest,
				       .provable = is_provable(o, facts_db(m->facts)),
				       .scrubbed = is_scrubbed(o),
				       .verbose = o->verbose };
	int status;

	if (diagnose(facts_db(m->facts), NULL, &d) < 0) {
		say("the knowledge cannot be read");
		return EXIT_OWN_FAULT;
	}
	ack_files_put(acks, facts_db(m->facts), &d);
	if (o->shell)
		steps_shell(o->shell, &report.shell);
	if (d.verdict == VERDICT_READY && wish_for_a_framework(facts_db(m->facts), &advice))
		report.advice = &advice;
	status = o->why ? say_why(o, m, &d) : say_report(o, &report);
	if (status == 0)
		status = diagnose_exit_status(d.verdict);
	if (report.advice)
		advise_done(&advice);
	diagnose_done(&d);
	return status;
}

struct run {
	struct machine machine; /* first: a machine of this command is a run */
	struct knowledge knowledge;
	const struct options *options;
	struct acks acks;
	int status; /* of the knowledge */
};

/* While a child records the machine: the knowledge does not depend on it. */
static void attach(struct machine *m)
{
	struct run *run = (struct run *)m;

	knowledge_done(&run->knowledge); /* of the tables before a walk */
	run->knowledge = (struct knowledge){ 0 };
	run->status = knowledge_attach(facts_db(m->facts), run->options, &run->knowledge);
}

int cmd_check(const struct options *o)
{
	struct run run = { .machine.made = attach, .options = o };
	struct options words;
	int status;

	if (o->word_count > 0)
		return say_usage("check",
				 "check takes no words; a snapshot is examined with --from");
	if (o->probe && (o->from || o->root || o->host_root))
		return say_usage("check", "--probe is for this host, not for another machine");
	if (o->json + o->quiet + (o->why != NULL) + (o->format != NULL) > 1)
		return say_usage("check", "--json, --format, --quiet and --why exclude each other");
	words = walk_options(o);
	status = machine_open(&words, &run.machine);
	if (status == 0 && o->probe)
		status = walk_make(&words, &run.machine);
	if (status == 0)
		ack_files_take(o, &run.acks);
	if (status == 0 && is_scrubbed(o))
		status = scrub_machine(o, &run.machine, &run.acks);
	if (status == 0)
		status = run.status;
	if (status == 0) {
		knowledge_note(facts_db(run.machine.facts), &run.knowledge);
		status = judge(o, &run.machine, &run.knowledge.info, &run.acks);
	}
	ack_done(&run.acks);
	machine_close(&run.machine);
	knowledge_done(&run.knowledge);
	return status;
}
