#include <errno.h>

#include "advise/wish.h"
#include "cli/ack-files.h"
#include "cli/commands.h"
#include "cli/knowledge.h"
#include "cli/look.h"
#include "cli/machine.h"
#include "cli/say.h"
#include "cli/walk.h"
#include "report/check.h"

/* ---- answers ---- */

static int no_cause(const char *name)
{
	return say_usage("check", "no cause %s; see: rocsteady kb list", name);
}

static int say_why(const struct options *o, struct machine *m, const struct diagnosis *all)
{
	struct buf text BUF_SCOPED = { 0 };
	struct page page = look_page(&text, o->output);
	struct diagnosis one;
	int r = diagnose(facts_db(m->facts), o->why, &one);

	if (r == -ENOENT)
		return no_cause(o->why);
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
	if (o->json)
		check_json(report, &text);
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

static int judge(const struct options *o, struct machine *m, const struct kb_info *info)
{
	struct diagnosis d;
	struct acks acks = { 0 };
	struct advice advice;
	struct check_report report = { .diagnosis = &d,
				       .acks = &acks,
				       .facts = m->facts,
				       .kb_version = info->version,
				       .kb_digest = info->digest,
				       .provable = is_provable(o, facts_db(m->facts)),
				       .verbose = o->verbose };
	int status;

	if (diagnose(facts_db(m->facts), NULL, &d) < 0) {
		say("the knowledge cannot be read");
		return EXIT_OWN_FAULT;
	}
	ack_files_apply(o, facts_db(m->facts), &d, &acks);
	if (o->shell)
		steps_shell(o->shell, &report.shell);
	if (d.verdict == VERDICT_READY && wish_for_a_framework(facts_db(m->facts), &advice))
		report.advice = &advice;
	status = o->why ? say_why(o, m, &d) : say_report(o, &report);
	if (status == 0)
		status = diagnose_exit_status(d.verdict);
	if (report.advice)
		advise_done(&advice);
	ack_done(&acks);
	diagnose_done(&d);
	return status;
}

struct run {
	struct machine machine; /* first: a machine of this command is a run */
	struct knowledge knowledge;
	const struct options *options;
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
	if (o->json + o->quiet + (o->why != NULL) > 1)
		return say_usage("check", "--json, --quiet and --why exclude each other");
	words = walk_options(o);
	status = machine_open(&words, &run.machine);
	if (status == 0 && o->probe)
		status = walk_make(&words, &run.machine);
	if (status == 0)
		status = run.status;
	if (status == 0) {
		knowledge_note(facts_db(run.machine.facts), &run.knowledge);
		status = judge(o, &run.machine, &run.knowledge.info);
	}
	machine_close(&run.machine);
	knowledge_done(&run.knowledge);
	return status;
}
