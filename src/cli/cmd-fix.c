#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/fix-change.h"
#include "cli/fix-verify.h"
#include "cli/open.h"
#include "cli/say.h"
#include "cli/terminal-style.h"

struct fix_run {
	struct context context;
	const struct options *options;
	struct arena arena;
	struct fix_question question; /* of --verify */
};

static const char *subject_of(const struct options *o)
{
	return o->word_count > 1 ? o->words[1] : NULL;
}

/* Options that decide what is seen, and those of them with which something can be changed. */
#define ACTS  "root user pid unit container env no-open wake kb ack shell"
#define LOOKS "from host-root " ACTS

static const char *again(struct arena *a, const struct options *o, const char *names)
{
	struct buf text BUF_SCOPED = { 0 };

	options_again(o, names, &text);
	return arena_text(a, buf_get(&text));
}

/* ---- the list ---- */

static int say_list(const struct options *o, const struct fix_report *report)
{
	struct buf text BUF_SCOPED = { 0 };
	struct page page = terminal_page(&text, o->output);
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
		return EXIT_PROBLEM;
	return report->diagnosis->verdict == VERDICT_UNDECIDED ? EXIT_UNDECIDED : 0;
}

/* ---- one remedy ---- */

static bool is_remedy(struct fix_run *run)
{
	return knowledge_has(context_db(&run->context), KNOWLEDGE_REMEDIES, run->options->words[0]);
}

/* A remedy that is not for what was found is not shown as if it were. */
static int no_item(struct fix_run *run)
{
	const char *id = run->options->words[0];
	struct did_you_mean near = did_you_mean(id);

	knowledge_suggest(context_db(&run->context), KNOWLEDGE_REMEDIES, &near);
	if (!is_remedy(run))
		return say_no("fix", "remedy", &near,
			      arena_format(&run->arena,
					   "list the fixes for this machine: rocsteady fix%s",
					   again(&run->arena, run->options, LOOKS)));
	return say_usage(
		"fix",
		"%s does not apply to anything found here; its description: rocsteady kb show %s",
		id, id);
}

static int say_items(struct fix_run *run, const struct fix_report *report)
{
	const struct options *o = run->options;
	struct buf text BUF_SCOPED = { 0 };
	struct page page = terminal_page(&text, o->output);
	const struct fix_item *item;
	size_t at = 0;

	while ((item = fix_plan_next(report->plan, o->words[0], subject_of(o), &at))) {
		buf_text(&text, text.len > 0 ? "\n" : "");
		fix_item_text(report, item, &page);
	}
	return text.len == 0 ? no_item(run) : say_answer(o->output, buf_get(&text));
}

static int apply_item(struct fix_run *run, const struct fix_report *report)
{
	const struct options *o = run->options;
	size_t at = 0;
	const struct fix_item *item = fix_plan_next(report->plan, o->words[0], subject_of(o), &at);
	struct buf call BUF_SCOPED = { 0 };
	int status;

	if (!item)
		return fix_change_resume(o, report, &status) ? status : no_item(run);
	if (fix_plan_next(report->plan, o->words[0], subject_of(o), &at)) {
		fix_call_text(report, item, FIX_APPLY, &call);
		return say_usage("fix",
				 "%s applies to several subjects here; name one, for example: %s",
				 o->words[0], call.data);
	}
	if (item->action_count == 0) {
		fix_call_text(report, item, FIX_SHOW, &call);
		say("%s cannot be automated safely here; follow its steps by hand: "
		    "%s",
		    o->words[0], call.data);
		return EXIT_PROBLEM;
	}
	return fix_change_apply(o, report, item);
}

static int verify(struct fix_run *run, const struct diagnosis *d)
{
	struct fix_verdict verdict =
		fix_verify(context_db(&run->context), d, &run->question, &run->arena);
	int status = say_unread_tables();

	return status ? status : fix_verify_say(run->options, &verdict);
}

/* ---- the command ---- */

static int answer(struct fix_run *run)
{
	const struct options *o = run->options;
	char *tree = o->context.root ? realpath(o->context.root, NULL) : NULL;
	struct diagnosis d;
	struct fix_plan plan;
	struct acks acks = { 0 };
	struct fix_report report = { .diagnosis = &d,
				     .plan = &plan,
				     .kb_version = run->context.knowledge.info.version,
				     .verbose = o->verbose,
				     .elsewhere = o->context.from || o->context.host_root,
				     .tree = tree ? arena_text(&run->arena, span_of(tree)) : NULL,
				     .subject = subject_of(o),
				     .to_look = again(&run->arena, o, LOOKS),
				     .to_act = again(&run->arena, o, ACTS),
				     .to_undo = again(&run->arena, o, "root") };
	sqlite3 *db = context_db(&run->context);
	int status;

	free(tree);
	if (diagnose(db, NULL, &d) < 0) {
		say_unread_tables();
		return EXIT_OWN_FAULT;
	}
	open_acks(o, &acks);
	open_acks_put(&acks, db, &d);
	if (o->shell)
		steps_shell(o->shell, &report.shell);
	fix_plan(&d, &plan);
	fix_plan_actions(db, &plan, o->context.root);
	status = say_unread_tables();
	if (status == 0)
		status = o->verify           ? verify(run, &d)
			 : o->apply          ? apply_item(run, &report)
			 : o->word_count > 0 ? say_items(run, &report)
					     : say_list(o, &report);
	fix_plan_done(&plan);
	ack_done(&acks);
	diagnose_done(&d);
	return status;
}

static int check_words(const struct options *o)
{
	bool acts = o->apply || o->undo || o->verify;

	if (o->word_count > 2)
		return say_usage("fix", "fix takes a remedy and, if needed, its subject");
	if (o->apply + o->undo + o->verify + o->applied + o->json > 1)
		return say_usage("fix",
				 "use only one of --apply, --undo, --verify, --applied and --json");
	if (o->yes && !o->apply)
		return say_usage("fix", "--yes does nothing without --apply");
	if (acts && o->word_count == 0)
		return say_usage("fix",
				 "name a remedy; list those for this machine: rocsteady fix");
	if ((o->json || o->applied) && o->word_count > 0)
		return say_usage("fix", "%s applies to every remedy; leave out %s",
				 o->json ? "--json" : "--applied", o->words[0]);
	if ((o->apply || o->undo || o->applied) && (o->context.from || o->context.host_root))
		return say_usage("fix", "fix changes only this host, "
					"or a tree given with --root");
	return 0;
}

int cmd_fix(const struct options *o)
{
	struct fix_run run = { .options = o };
	struct options words;
	int status = check_words(o);

	if (status != 0)
		return status;
	if (o->undo)
		return fix_change_undo(o);
	if (o->applied)
		return fix_change_list(o);
	words = *o;
	if (o->verify)
		fix_verify_aim(o, &run.arena, &words, &run.question);
	status = open_context(&words, &run.context);
	if (status == 0 && o->verify)
		status = is_remedy(&run)
				 ? fix_verify_walk(o, &run.context, &run.arena, &run.question)
				 : no_item(&run);
	if (status == 0)
		status = answer(&run);
	context_close(&run.context);
	arena_done(&run.arena);
	return status;
}
