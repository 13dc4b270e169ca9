#include <errno.h>
#include <string.h>

#include "cli/check-judge.h"
#include "cli/check-many.h"
#include "cli/commands.h"
#include "cli/open.h"
#include "cli/probe-front.h"
#include "cli/say-format.h"
#include "cli/say.h"
#include "cli/terminal-style.h"
#include "facts/column.h"
#include "facts/devices.h"
#include "facts/proof.h"
#include "facts/select.h"
#include "fleet/snapshots.h"
#include "report/rows.h"

/* ---- formats ---- */

static void write_json(const struct check_report *r, struct buf *ret)
{
	if (r->verbose)
		check_json(r, ret);
	else
		check_compact(r, ret);
}

static const struct format {
	const char *name;
	void (*write)(const struct check_report *r, struct buf *ret);
	bool leaves; /* made to be handed on: without names, if not said otherwise */
} formats[] = {
	{ "text", NULL, false },
	{ "json", write_json, false },
	{ "html", check_html, true },
	{ "markdown", check_markdown, true },
	{ "github", check_annotations, true },
};

static const struct format *format_of(const struct options *o)
{
	const char *name = o->format ? o->format : "text";

	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		if (strcmp(formats[i].name, name) == 0)
			return &formats[i];
	return &formats[0];
}

static bool is_scrubbed(const struct options *o)
{
	return format_of(o)->leaves && !o->no_scrub;
}

/* ---- which checks ---- */

/* A name that is none would leave out nothing, or everything. */
static int check_names(sqlite3 *db, const char *names)
{
	struct span rest = span_of(names), name;
	int status = 0;

	while (status == 0 && span_cut(&rest, ',', &name)) {
		struct buf text BUF_SCOPED = { 0 };
		struct did_you_mean near;

		buf_span(&text, span_trim(name));
		if (text.len == 0)
			continue;
		near = did_you_mean(text.data);
		knowledge_suggest(db, KNOWLEDGE_CHECKS, &near);
		if (strcmp(near.best, text.data) != 0)
			status = say_no("check", "check", &near,
					"list all checks: rocsteady check --list-checks");
	}
	return status;
}

/* A cause that only a log shows has no check, so nothing is left out by its name. */
static void say_without_check(sqlite3 *db, const char *names)
{
	sqlite3_stmt *stmt = choose_without_check(db, names);

	while (select_next(stmt))
		say("--skip %s: nothing to skip, only a log shows it (rocsteady explain)",
		    column_text(stmt, 0));
	sqlite3_finalize(stmt);
}

static int check_choice(sqlite3 *db, const struct options *o)
{
	int status = o->only ? check_names(db, o->only) : 0;

	if (status == 0 && o->skip)
		status = check_names(db, o->skip);
	if (status == 0 && o->skip)
		say_without_check(db, o->skip);
	return status;
}

static int list_checks(const struct options *o)
{
	struct buf text BUF_SCOPED = { 0 };
	struct choose choose = check_judge_choice(o);
	struct context context;
	sqlite3_stmt *stmt;
	int status = open_bare(o, &context);

	if (status == 0)
		status = check_choice(context_db(&context), o);
	if (status == 0) {
		stmt = choose_list(context_db(&context), &choose);
		if (o->json)
			rows_json(stmt, &text);
		else
			rows_text(stmt, &text, o->output ? 0 : say_width());
		sqlite3_finalize(stmt);
		status = say_answer(o->output, buf_get(&text));
	}
	context_close(&context);
	return status;
}

/* ---- answers ---- */

static int say_why(const struct options *o, sqlite3 *db, const struct diagnosis *all)
{
	struct buf text BUF_SCOPED = { 0 };
	struct page page = terminal_page(&text, o->output);
	struct did_you_mean near = did_you_mean(o->why);
	struct diagnosis one;
	int r = diagnose(db, o->why, &one);

	if (r == -ENOENT) {
		knowledge_suggest(db, KNOWLEDGE_CAUSES, &near);
		return say_no("check", "cause", &near, "list all causes: rocsteady kb list");
	}
	if (r < 0) {
		say_unread_tables();
		return EXIT_OWN_FAULT;
	}
	why_text(&one, all, &page);
	diagnose_done(&one);
	return say_answer(o->output, buf_get(&text));
}

static int say_report(const struct options *o, const struct check_report *report)
{
	struct buf text BUF_SCOPED = { 0 };
	struct page page = terminal_page(&text, o->output);

	if (o->quiet)
		return say_unread_tables();
	if (format_of(o)->write)
		format_of(o)->write(report, &text);
	else
		check_text(report, &page);
	return say_format(o->format, o->output, buf_get(&text));
}

/* Only here, and only if there is something to try. */
static bool is_provable(const struct options *o, sqlite3 *db)
{
	return !o->context.from && !o->context.root && !o->context.host_root && !o->probe &&
	       devices_any(db);
}

static int refuse_choice(void)
{
	return say_usage("check", "--only and --skip leave no check; list all checks: "
				  "rocsteady check --list-checks");
}

static int judge(const struct options *o, struct context *context, struct acks *acks)
{
	struct proof proof;
	struct check_judged j;
	int status = check_judge(o, context, acks, true, &j);

	if (status == EXIT_USAGE)
		return refuse_choice();
	if (status != 0) {
		say_unread_tables();
		return status;
	}
	proof_read(context->machine.root, &proof);
	j.report.proof = proof.state == PROOF_NONE ? NULL : &proof;
	j.report.provable = is_provable(o, context_db(context));
	j.report.scrubbed = is_scrubbed(o);
	status = o->why ? say_why(o, context_db(context), &j.diagnosis) : say_report(o, &j.report);
	if (status == 0)
		status = diagnose_exit_status(j.diagnosis.verdict);
	proof_done(&proof);
	check_judged_done(&j);
	return status;
}

/* ---- many ---- */

static bool is_many(const struct options *o)
{
	return o->context.from && snapshots_is_directory(o->context.from);
}

static bool is_any_chosen(sqlite3 *db, const struct options *o)
{
	struct choose choose = check_judge_choice(o);
	sqlite3_stmt *stmt = choose_list(db, &choose);
	bool any = select_next(stmt);

	sqlite3_finalize(stmt);
	return any;
}

static int judge_many(const struct options *o)
{
	struct acks acks = { 0 };
	struct context context;
	int status;

	if (o->why || (o->verbose && !o->json) || (o->format && !o->json))
		return say_usage("check", "of a directory of snapshots there are a line for each "
					  "node, --json and --quiet");
	status = open_bare(o, &context);
	if (status == 0)
		status = check_choice(context_db(&context), o);
	if (status == 0 && !is_any_chosen(context_db(&context), o))
		status = refuse_choice();
	if (status == 0) {
		open_acks(o, &acks);
		status = check_many(o, &context, &acks);
	}
	ack_done(&acks);
	context_close(&context);
	return status;
}

int cmd_check(const struct options *o)
{
	struct acks acks = { 0 };
	struct options words;
	struct context context;
	int status;

	if (o->word_count > 0)
		return say_usage("check",
				 "check takes no arguments; examine a snapshot with --from FILE");
	if (o->probe && (o->context.from || o->context.root || o->context.host_root))
		return say_usage(
			"check",
			"--probe tests the GPUs of this host: leave out --from, --root and --host-root");
	if (o->quiet + (o->why != NULL) + (o->format != NULL) > 1)
		return say_usage("check", "use only one of --format, --json, --quiet and --why");
	if (o->why && (o->only || o->skip))
		return say_usage("check", "--why shows one check; leave out --only and --skip");
	if (o->list_checks && (o->quiet || o->why || (o->format && !o->json)))
		return say_usage("check", "--list-checks writes text or JSON only");
	if (o->list_checks)
		return list_checks(o);
	if (is_many(o))
		return judge_many(o);
	if (o->problems)
		return say_usage("check", "--problems is for a directory of snapshots: --from DIR");
	words = probe_front_options(o);
	status = open_context(&words, &context);
	if (status == 0)
		status = check_choice(context_db(&context), o);
	if (status == 0 && o->probe)
		status = probe_front_walk(&words, &context.machine);
	if (status == 0)
		open_acks(o, &acks);
	if (status == 0 && is_scrubbed(o))
		status = open_scrubbed(&context.machine, &acks, o->scrub_key);
	if (status == 0) {
		knowledge_note(context_db(&context), &context.knowledge);
		status = judge(o, &context, &acks);
	}
	ack_done(&acks);
	context_close(&context);
	return status;
}
