#include <errno.h>
#include <string.h>

#include "advise/wish.h"
#include "base/text.h"
#include "cli/ack-files.h"
#include "cli/commands.h"
#include "cli/desk.h"
#include "cli/look.h"
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

static int say_why(const struct options *o, sqlite3 *db, const struct diagnosis *all)
{
	struct buf text BUF_SCOPED = { 0 };
	struct page page = look_page(&text, o->output);
	struct diagnosis one;
	int r = diagnose(db, o->why, &one);

	if (r == -ENOENT)
		return no_cause(db, o->why);
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

static int judge(const struct options *o, struct desk *desk, struct acks *acks)
{
	sqlite3 *db = desk_db(desk);
	struct diagnosis d;
	struct advice advice;
	struct check_report report = { .diagnosis = &d,
				       .acks = acks,
				       .facts = desk->machine.facts,
				       .kb_version = desk->knowledge.info.version,
				       .kb_digest = desk->knowledge.info.digest,
				       .provable = is_provable(o, db),
				       .scrubbed = is_scrubbed(o),
				       .verbose = o->verbose };
	int status;

	if (diagnose(db, NULL, &d) < 0) {
		say("the knowledge cannot be read");
		return EXIT_OWN_FAULT;
	}
	ack_files_put(acks, db, &d);
	if (o->shell)
		steps_shell(o->shell, &report.shell);
	if (d.verdict == VERDICT_READY && wish_for_a_framework(db, &advice))
		report.advice = &advice;
	status = o->why ? say_why(o, db, &d) : say_report(o, &report);
	if (status == 0)
		status = diagnose_exit_status(d.verdict);
	if (report.advice)
		advise_done(&advice);
	diagnose_done(&d);
	return status;
}

int cmd_check(const struct options *o)
{
	struct acks acks = { 0 };
	struct options words;
	struct desk desk;
	int status;

	if (o->word_count > 0)
		return say_usage("check",
				 "check takes no words; a snapshot is examined with --from");
	if (o->probe && (o->from || o->root || o->host_root))
		return say_usage("check", "--probe is for this host, not for another machine");
	if (o->json + o->quiet + (o->why != NULL) + (o->format != NULL) > 1)
		return say_usage("check", "--json, --format, --quiet and --why exclude each other");
	words = walk_options(o);
	status = desk_open(&words, &desk);
	if (status == 0 && o->probe)
		status = walk_make(&words, &desk.machine);
	if (status == 0)
		ack_files_take(o, &acks);
	if (status == 0 && is_scrubbed(o))
		status = scrub_machine(o, &desk.machine, &acks);
	if (status == 0) {
		knowledge_note(desk_db(&desk), &desk.knowledge);
		status = judge(o, &desk, &acks);
	}
	ack_done(&acks);
	desk_close(&desk);
	return status;
}
