#include <stdlib.h>
#include <string.h>

#include "cli/ack-files.h"
#include "cli/commands.h"
#include "cli/desk.h"
#include "cli/fix-hand.h"
#include "cli/fix-place.h"
#include "cli/fix-verify.h"
#include "cli/look.h"
#include "cli/say.h"

/* Something is to be done, or could not be done, or is not cured. */
enum { EXIT_TO_DO = 2 };

struct run {
	struct desk desk;
	const struct options *options;
	struct arena arena;
	struct fix_verify verify; /* of --verify */
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

/* ---- one remedy ---- */

static bool is_remedy(struct run *run)
{
	return knowledge_text(desk_db(&run->desk), &run->arena,
			      "SELECT id FROM kb.remedy WHERE id = ?1", run->options->words[0]);
}

/* A remedy that is not for what was found is not shown as if it were. */
static int no_item(struct run *run)
{
	const char *id = run->options->words[0];
	struct near near = near_to(id);

	knowledge_near(desk_db(&run->desk), "SELECT id FROM kb.remedy", &near);
	if (!is_remedy(run))
		return say_no("fix", "remedy", &near,
			      arena_format(&run->arena, "those of this machine: rocsteady fix%s",
					   again(&run->arena, run->options, LOOKS)));
	return say_usage("fix",
			 "%s is not for what was found here; what it is: rocsteady kb show %s", id,
			 id);
}

static int say_items(struct run *run, const struct fix_report *report)
{
	const struct options *o = run->options;
	struct buf text BUF_SCOPED = { 0 };
	struct page page = look_page(&text, o->output);
	const struct fix_item *item;
	size_t at = 0;

	while ((item = fix_plan_next(report->plan, o->words[0], subject_of(o), &at))) {
		buf_text(&text, text.len > 0 ? "\n" : "");
		fix_item_text(report, item, &page);
	}
	return text.len == 0 ? no_item(run) : say_answer(o->output, buf_get(&text));
}

static int apply_item(struct run *run, const struct fix_report *report)
{
	const struct options *o = run->options;
	size_t at = 0;
	const struct fix_item *item = fix_plan_next(report->plan, o->words[0], subject_of(o), &at);
	struct buf call BUF_SCOPED = { 0 };

	if (!item)
		return fix_hand_is_begun(o) ? fix_hand_resume(o, report) : no_item(run);
	if (fix_plan_next(report->plan, o->words[0], subject_of(o), &at)) {
		fix_call_text(report, item, FIX_APPLY, &call);
		return say_usage("fix", "%s is for several here; name the subject, as in: %s",
				 o->words[0], call.data);
	}
	if (item->action_count == 0) {
		fix_call_text(report, item, FIX_SHOW, &call);
		say("nothing of %s is safe to automate here: it is a plan, to be followed by hand: "
		    "%s",
		    o->words[0], call.data);
		return EXIT_TO_DO;
	}
	return fix_hand_apply(o, report, item);
}

/* ---- the command ---- */

static const char *tree_of(struct run *run)
{
	char *real = run->options->root ? realpath(run->options->root, NULL) : NULL;
	const char *tree = real ? arena_text(&run->arena, span_of(real)) : NULL;

	free(real);
	return tree;
}

static int answer(struct run *run)
{
	const struct options *o = run->options;
	struct diagnosis d;
	struct fix_plan plan;
	struct acks acks = { 0 };
	struct fix_report report = { .diagnosis = &d,
				     .plan = &plan,
				     .kb_version = run->desk.knowledge.info.version,
				     .verbose = o->verbose,
				     .elsewhere = o->from || o->host_root,
				     .tree = tree_of(run),
				     .subject = subject_of(o),
				     .to_look = again(&run->arena, o, LOOKS),
				     .to_act = again(&run->arena, o, ACTS),
				     .to_undo = again(&run->arena, o, "root") };
	sqlite3 *db = desk_db(&run->desk);
	int status;

	if (diagnose(db, NULL, &d) < 0) {
		say("the knowledge cannot be read");
		return EXIT_OWN_FAULT;
	}
	ack_files_apply(o, db, &d, &acks);
	if (o->shell)
		steps_shell(o->shell, &report.shell);
	fix_plan(&d, &plan);
	fix_plan_actions(db, &plan, o->root);
	status = o->verify           ? fix_verify_say(&run->verify, &d)
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
		return say_usage("fix", "fix takes a remedy, and the subject that it is for");
	if (o->apply + o->undo + o->verify + o->applied + o->json > 1)
		return say_usage(
			"fix",
			"--apply, --undo, --verify, --applied and --json exclude each other");
	if (o->yes && !o->apply)
		return say_usage("fix", "--yes does nothing without --apply");
	if (acts && o->word_count == 0)
		return say_usage("fix", "which remedy? those of this machine: rocsteady fix");
	if ((o->json || o->applied) && o->word_count > 0)
		return say_usage("fix", "%s is about every remedy; leave %s out",
				 o->json ? "--json" : "--applied", o->words[0]);
	if ((o->apply || o->undo || o->applied) && (o->from || o->host_root))
		return say_usage("fix", "a machine seen from here is not changed: only this host, "
					"or a tree with --root");
	return 0;
}

int cmd_fix(const struct options *o)
{
	struct run run = { .options = o };
	struct options words;
	int status = check_words(o);

	if (status != 0)
		return status;
	if (o->undo)
		return fix_hand_undo(o);
	if (o->applied)
		return fix_place_tell(o);
	words = *o;
	if (o->verify)
		fix_verify_aim(o, &run.arena, &words, &run.verify);
	status = desk_open(&words, &run.desk);
	if (status == 0 && o->verify)
		status = is_remedy(&run) ? fix_verify_walk(&run.verify, &run.desk) : no_item(&run);
	if (status == 0)
		status = answer(&run);
	desk_close(&run.desk);
	arena_done(&run.arena);
	return status;
}
