#include "cli/ack-files.h"
#include "cli/commands.h"
#include "cli/knowledge.h"
#include "cli/look.h"
#include "cli/machine.h"
#include "cli/say.h"
#include "report/fix.h"

/*
 * What a wish says about the remedies: 0 there is nothing to do or it was done,
 * 2 there is something to do or it could not be done, 3 it is not known.
 */
enum { EXIT_TO_DO = 2 };

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

	run->status = knowledge_attach(facts_db(m->facts), run->options, &run->knowledge);
}

static int say_list(const struct options *o, const struct fix_report *report)
{
	struct buf text BUF_SCOPED = { 0 };
	struct page page = look_page(&text, o->output);
	const struct fix_plan *plan = report->plan;
	int status;

	if (o->json)
		fix_list_json(report, &text);
	else
		fix_list_text(report, &page);
	status = say_answer(o->output, buf_get(&text));
	if (status != 0)
		return status;
	if (plan->count > plan->optional || plan->bare_count > 0)
		return EXIT_TO_DO;
	return report->diagnosis->verdict == VERDICT_UNDECIDED ? EXIT_UNDECIDED : 0;
}

/* A remedy that is not for what was found is not shown as if it were. */
static int no_item(struct machine *m, const char *id)
{
	struct near near = near_to(id);
	sqlite3_stmt *stmt = NULL;
	bool known = false;

	if (sqlite3_prepare_v2(facts_db(m->facts), "SELECT 1 FROM kb.remedy WHERE id = ?1", -1,
			       &stmt, NULL) == SQLITE_OK) {
		sqlite3_bind_text(stmt, 1, id, -1, SQLITE_STATIC);
		known = sqlite3_step(stmt) == SQLITE_ROW;
	}
	sqlite3_finalize(stmt);
	knowledge_near(facts_db(m->facts), "SELECT id FROM kb.remedy", &near);
	if (!known)
		return say_no("fix", "remedy", &near, "those of this machine: rocsteady fix");
	return say_usage("fix",
			 "%s is not for what was found here; what it is: rocsteady kb show %s", id,
			 id);
}

static int say_items(const struct options *o, struct machine *m, const struct fix_report *report)
{
	struct buf text BUF_SCOPED = { 0 };
	struct page page = look_page(&text, o->output);
	const char *subject = o->word_count > 1 ? o->words[1] : NULL;
	const struct fix_item *item;
	size_t at = 0;

	while ((item = fix_plan_next(report->plan, o->words[0], subject, &at))) {
		buf_text(&text, text.len > 0 ? "\n" : "");
		fix_item_text(report, item, &page);
	}
	if (text.len == 0)
		return no_item(m, o->words[0]);
	return say_answer(o->output, buf_get(&text));
}

static int answer(struct run *run)
{
	const struct options *o = run->options;
	struct diagnosis d;
	struct fix_plan plan;
	struct acks acks = { 0 };
	struct fix_report report = { .diagnosis = &d,
				     .plan = &plan,
				     .kb_version = run->knowledge.info.version,
				     .verbose = o->verbose };
	int status;

	if (diagnose(facts_db(run->machine.facts), NULL, &d) < 0) {
		say("the knowledge cannot be read");
		return EXIT_OWN_FAULT;
	}
	ack_files_apply(o, facts_db(run->machine.facts), &d, &acks);
	if (o->shell)
		steps_shell(o->shell, &report.shell);
	fix_plan(&d, &plan);
	status = o->word_count > 0 ? say_items(o, &run->machine, &report) : say_list(o, &report);
	fix_plan_done(&plan);
	ack_done(&acks);
	diagnose_done(&d);
	return status;
}

int cmd_fix(const struct options *o)
{
	struct run run = { .machine.made = attach, .options = o };
	int status;

	if (o->word_count > 2)
		return say_usage("fix", "fix takes a remedy, and the subject that it is for");
	if (o->json && o->word_count > 0)
		return say_usage("fix", "--json lists every remedy with its steps; leave %s out",
				 o->words[0]);
	status = machine_open(o, &run.machine);
	if (status == 0)
		status = run.status;
	if (status == 0)
		status = answer(&run);
	machine_close(&run.machine);
	knowledge_done(&run.knowledge);
	return status;
}
