#include <stdlib.h>
#include <string.h>

#include "cli/ack-files.h"
#include "cli/commands.h"
#include "cli/desk.h"
#include "cli/fix-hand.h"
#include "cli/look.h"
#include "cli/say.h"
#include "cli/walk.h"
#include "report/finding-text.h"

/* Something is to be done, or could not be done, or is not cured. */
enum { EXIT_TO_DO = 2 };

struct run {
	struct desk desk;
	const struct options *options;
	struct arena arena;
	struct fix_hand_aim aim; /* of --verify */
	const char *layer;       /* that was walked to prove it, or NULL */
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

/* One text about a name; NULL if there is none. */
static const char *ask(struct run *run, const char *sql, const char *name)
{
	sqlite3_stmt *stmt = NULL;
	const char *text = NULL;

	if (sqlite3_prepare_v2(desk_db(&run->desk), sql, -1, &stmt, NULL) == SQLITE_OK) {
		sqlite3_bind_text(stmt, 1, name, -1, SQLITE_STATIC);
		if (sqlite3_step(stmt) == SQLITE_ROW)
			text = (const char *)sqlite3_column_text(stmt, 0);
		text = text ? arena_text(&run->arena, span_of(text)) : NULL;
	}
	sqlite3_finalize(stmt);
	return text;
}

/* A remedy that is not for what was found is not shown as if it were. */
static int no_item(struct run *run)
{
	const char *id = run->options->words[0];
	struct near near = near_to(id);

	knowledge_near(desk_db(&run->desk), "SELECT id FROM kb.remedy", &near);
	if (!ask(run, "SELECT id FROM kb.remedy WHERE id = ?1", id))
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
		return fix_hand_is_begun(o) ? fix_hand_resume(o) : no_item(run);
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

/* ---- whether it is cured ---- */

#define UNFIT(verdicts)                                                                 \
	"SELECT framework || ' in ' || environment || ': ' || why FROM environment_fit" \
	" WHERE environment = ?1 AND meant = 1 AND verdict IN (" verdicts ")"

static bool has_word(const char *words, const char *word)
{
	struct span rest = span_of(words), one;

	while (span_word(&rest, &one))
		if (span_is(one, word))
			return true;
	return false;
}

/* What it was applied for; without a record, whatever the knowledge has it for. */
static const char *find_causes(struct run *run)
{
	const char *all = "SELECT group_concat(cause, ' ') FROM kb.cause_remedy WHERE remedy = ?1";

	return run->aim.cause ? run->aim.cause : ask(run, all, run->options->words[0]);
}

/* Also where another remedy fits by now: that is no cure yet. */
static bool is_meant(struct run *run, const char *causes, const struct finding *f)
{
	const char *subject =
		run->aim.environment ? run->aim.environment : subject_of(run->options);

	return has_word(causes, f->cause) && (!subject || strcmp(subject, f->subject) == 0);
}

/* With a record, what spoke for the finding then; without one, whatever could still prove it. */
static bool matters(const struct run *run, const struct finding *f, const struct line *l)
{
	if ((l->answer != ANSWER_UNKNOWN && l->answer != ANSWER_FAILED) || l->weight <= 0)
		return false;
	if (!run->aim.evidence)
		return l->answer == ANSWER_FAILED || f->most >= DIAGNOSE_LIKELY;
	return has_word(run->aim.evidence, l->id);
}

/* What of a cause's evidence could not be asked, so that its silence proves nothing. */
static const char *find_unasked(struct run *run, const char *cause)
{
	struct diagnosis d;
	const char *why = NULL;

	if (diagnose(desk_db(&run->desk), cause, &d) < 0)
		return NULL; /* the knowledge has no such cause any more */
	for (size_t i = 0; !why && i < d.finding_count; i++)
		for (size_t k = 0; !why && k < d.findings[i].line_count; k++) {
			const struct line *l = &d.findings[i].lines[k];

			if (matters(run, &d.findings[i], l))
				why = arena_format(&run->arena, "%s: %s", l->id,
						   l->why ? l->why : "not known");
		}
	diagnose_done(&d);
	return why;
}

/* Why the walk proves nothing, or NULL: it did not get as far as the layer, or not through it. */
static const char *find_break(struct run *run)
{
	static const char broken[] =
		"SELECT question || ' of the walk ended as ' || ending || coalesce(' (' || name || ')', '')"
		" FROM probe_break ORDER BY layer = ?1 DESC, position LIMIT 1";
	static const char answered[] =
		"SELECT layer FROM probe WHERE layer = ?1 AND ending = 'answered'";
	const char *why = run->layer ? ask(run, broken, run->layer) : NULL;

	if (why || !run->layer || ask(run, answered, run->layer))
		return why;
	return arena_format(&run->arena, "nothing could be asked of the layer %s", run->layer);
}

static const char *open_question(struct run *run, const char *causes, const struct diagnosis *d)
{
	const char *made = run->aim.environment;
	const char *why = find_break(run);
	struct span rest = span_of(causes), cause;

	if (why)
		return why;
	if (d->blind)
		return d->blind;
	if (made && !ask(run, "SELECT prefix FROM environment WHERE prefix = ?1", made))
		return arena_format(&run->arena, "no environment was found at %s", made);
	if (made)
		return ask(run, UNFIT("'unknown', 'partly'"), made);
	while (!why && span_word(&rest, &cause))
		why = find_unasked(run, arena_text(&run->arena, cause));
	return why;
}

/* Nobody uses the new environment yet, so its findings are few: would it run here? */
static const char *find_misfit(struct run *run)
{
	return run->aim.environment ? ask(run, UNFIT("'not'"), run->aim.environment) : NULL;
}

static int say_silence(struct run *run, const char *causes, const struct diagnosis *d,
		       struct page *page)
{
	const char *why = open_question(run, causes, d);
	const char *id = run->options->words[0];

	page_mark(page, why ? PAGE_UNDECIDED : PAGE_GOOD);
	page_wrap(
		page, 3, 3,
		why ? arena_format(&run->arena, "cannot tell whether %s helped: %s", id, why)
		    : arena_format(&run->arena, "cured: what %s is for is not found any more", id));
	return why ? EXIT_UNDECIDED : 0;
}

/* Those that hold come before those that are undecided. */
static int say_cured(struct run *run, const struct diagnosis *d)
{
	struct buf text BUF_SCOPED = { 0 };
	struct page page = look_page(&text, run->options->output);
	const char *causes = find_causes(run);
	const char *misfit;
	int status = 0, said;

	for (size_t i = 0; i < d->finding_count; i++) {
		const struct finding *f = &d->findings[i];
		bool open = f->belief == BELIEF_UNDECIDED;

		if (f->belief == BELIEF_NONE || !is_meant(run, causes, f))
			continue;
		buf_text(&text, status ? "" : open ? "cannot tell:\n" : "not cured:\n");
		finding_heading(&page, f);
		finding_evidence(&page, f);
		status = !open ? EXIT_TO_DO : status ? status : EXIT_UNDECIDED;
	}
	misfit = status == 0 ? find_misfit(run) : NULL;
	if (misfit) {
		status = EXIT_TO_DO;
		buf_text(&text, "not cured:\n   ");
		page_wrap(&page, 3, 3, misfit);
	}
	if (status == 0)
		status = say_silence(run, causes, d, &page);
	said = say_answer(run->options->output, buf_get(&text));
	return said ? said : status;
}

/* A remedy that is proved by a probe is: the walk comes before the diagnosis. */
static int walk_for(struct run *run)
{
	const struct options *o = run->options;
	const char *verify = ask(run, "SELECT verify FROM kb.remedy WHERE id = ?1", o->words[0]);
	const char *layer;
	struct options words;

	if (!verify)
		return no_item(run);
	if (strncmp(verify, "rocsteady probe", strlen("rocsteady probe")) != 0 || o->from ||
	    o->root || o->host_root)
		return 0;
	words = walk_options(o);
	layer = strstr(verify, "--layer ");
	words.probe = true;
	words.layer = layer ? layer + strlen("--layer ") : NULL;
	run->layer = words.layer;
	return walk_make(&words, &run->desk.machine);
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
	status = o->verify           ? say_cured(run, &d)
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
		return fix_hand_list(o);
	words = *o;
	if (o->verify)
		run.aim = fix_hand_aim(o, &run.arena);
	if (run.aim.environment) /* the new one is judged, wherever it is */
		words.door.environments = run.aim.environment;
	if (run.aim.user && !o->door.user && !o->door.pid && !o->door.unit && !o->door.container)
		words.door.user = run.aim.user;
	status = desk_open(&words, &run.desk);
	if (status == 0 && o->verify)
		status = walk_for(&run);
	if (status == 0)
		status = answer(&run);
	desk_close(&run.desk);
	arena_done(&run.arena);
	return status;
}
