#include "cli/fix-hand.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/desk.h"
#include "cli/fix-place.h"
#include "cli/look.h"
#include "cli/say.h"
#include "fix/apply.h"

enum { EXIT_DECLINED = 1, EXIT_REFUSED = 2, EXIT_BUSY = 75 };

/* ---- apply ---- */

/* A file in a home is its owner's: made by root, it would be root's. */
static int check_rights(const struct options *o, const struct fix_report *report,
			const struct fix_item *item)
{
	bool root = hand_user() == 0;

	if (item->as_root && !root) {
		struct buf call BUF_SCOPED = { 0 };

		fix_call_text(report, item, FIX_APPLY, &call);
		say("this needs root; the same with sudo: %s", call.data);
		return EXIT_REFUSED;
	}
	if (o->root)
		return 0;
	for (size_t i = 0; root && i < item->action_count; i++)
		if (item->actions[i].kind == APPLY_WRITE && !item->as_root) {
			say("%s belongs to a user: apply it as that user, without sudo",
			    item->actions[i].target);
			return EXIT_REFUSED;
		}
	return 0;
}

static bool ask(void)
{
	char line[16];

	fputs("Do this? [y/N] ", stderr);
	fflush(stderr);
	return fgets(line, sizeof(line), stdin) && (line[0] == 'y' || line[0] == 'Y');
}

static int consent(const struct options *o, const struct fix_report *report,
		   const struct fix_item *item, bool begun)
{
	struct buf text BUF_SCOPED = { 0 };
	struct page page = look_page(&text, NULL);

	if (o->yes)
		return 0;
	if (!isatty(STDIN_FILENO))
		return say_usage("fix", "there is no terminal to ask on: say --yes");
	fix_actions_text(report, item, &page);
	fprintf(stderr, "%s: %sthis will\n%s", item->remedy->id,
		begun ? "it was interrupted; to end it, " : "", text.data);
	if (ask())
		return 0;
	say("nothing was changed");
	return EXIT_DECLINED;
}

static int say_applied(const struct options *o, const struct fix_report *report,
		       const struct fix_item *item)
{
	struct buf text BUF_SCOPED = { 0 };
	struct page page = look_page(&text, o->output);

	page_mark(&page, PAGE_GOOD);
	buf_addf(&text, "%s is applied\n", item->remedy->id);
	fix_actions_text(report, item, &page);
	fix_then_text(report, item, &page);
	buf_text(&text, "   whether it is cured: ");
	fix_call_text(report, item, FIX_VERIFY, &text);
	buf_text(&text, "\n   take it back:        ");
	fix_call_text(report, item, FIX_UNDO, &text);
	buf_char(&text, '\n');
	return say_answer(o->output, buf_get(&text));
}

static int say_failure(const char *remedy, const char *what, int error, const struct buf *said)
{
	say("%s: not %s: %s", remedy, what, said->len ? said->data : strerror(-error));
	return error == -EAGAIN ? EXIT_BUSY : EXIT_REFUSED;
}

static int say_already(const char *remedy)
{
	say("%s is applied already; take it back with --undo", remedy);
	return 0;
}

/* What spoke for the finding: asked again, it tells whether the remedy helped. */
static const char *evidence_of(struct arena *a, const struct finding *f)
{
	struct buf ids BUF_SCOPED = { 0 };

	for (size_t i = 0; i < f->line_count; i++)
		if (f->lines[i].answer == ANSWER_YES && f->lines[i].counted > 0)
			buf_addf(&ids, "%s%s", ids.len > 0 ? " " : "", f->lines[i].id);
	return arena_text(a, buf_get(&ids));
}

/* What was begun is what will be done, whatever would be proposed now. */
static void take_over(const struct options *o, struct arena *a, const struct record *r,
		      struct fix_item *item)
{
	struct apply_action *list = arena_alloc(a, sizeof(*list) * r->count);

	for (size_t i = 0; i < r->count; i++)
		list[i] = r->actions[i].what;
	item->actions = list;
	item->action_count = r->count;
	item->as_root = fix_needs_root(list, r->count, o->root);
}

static int carry_out(const struct options *o, const struct fix_report *report,
		     const struct fix_item *item, struct fix_place *place, const struct record *r)
{
	const struct finding *f = r ? NULL : item->findings[0];
	struct fix_wish wish = { .remedy = item->remedy->id,
				 .subject = item->subject,
				 .cause = r ? r->cause : f->cause,
				 .evidence = r ? r->evidence : evidence_of(&place->arena, f),
				 .actions = item->actions,
				 .count = item->action_count,
				 .refusal = apply_refusal };
	struct buf said BUF_SCOPED = { 0 };
	int status = check_rights(o, report, item);
	int error;

	if (status == 0)
		status = consent(o, report, item, r);
	if (status != 0)
		return status;
	error = fix_apply(&place->shelf, &wish, &said);
	if (error == -EALREADY)
		return say_already(wish.remedy);
	if (error < 0)
		return say_failure(wish.remedy, "applied", error, &said);
	return say_applied(o, report, item);
}

int fix_hand_apply(const struct options *o, const struct fix_report *report,
		   const struct fix_item *item)
{
	struct fix_item shown = *item;
	struct fix_place place = { 0 };
	struct record r;
	int status = fix_place_open(o, &place);
	bool begun;

	if (status != 0)
		return status;
	begun = record_load(&place.shelf,
			    record_name(&place.arena, item->remedy->id, item->subject), &r) == 0;
	if (begun)
		take_over(o, &place.arena, &r, &shown);
	status = begun && r.applied && !r.undoing
			 ? say_already(item->remedy->id)
			 : carry_out(o, report, &shown, &place, begun ? &r : NULL);
	if (begun)
		record_done(&r);
	fix_place_close(&place);
	return status;
}

/* ---- undo ---- */

/* Half a plan of a process that was killed is no record, and is not left behind. */
static void forget_halves(struct fix_place *p)
{
	struct buf said BUF_SCOPED = { 0 };
	struct buf names BUF_SCOPED = { 0 };
	struct span rest, name;

	hand_list(&p->hand, p->shelf.dir, &names);
	rest = buf_get(&names);
	while (span_line(&rest, &name))
		if (span_starts(name, ".") && span_ends(name, ".new")) {
			char *of = arena_text(&p->arena, name);

			of[strlen(of) - strlen(".new")] = '\0';
			fix_undo(&p->shelf, of + 1, &said);
		}
}

/* A name that nothing has is not one that is not applied. */
static int nothing_applied(const struct options *o)
{
	struct near near = near_to(o->words[0]);
	struct desk desk;
	bool known = true;

	if (desk_open_bare(o, &desk) == 0) {
		knowledge_near(desk_db(&desk), "SELECT id FROM kb.remedy", &near);
		known = strcmp(near.best, o->words[0]) == 0;
		desk_close(&desk);
	}
	if (!known)
		return say_no("fix", "remedy", &near,
			      "those that are applied: rocsteady fix --applied");
	say("%s is not applied: there is nothing to undo", o->words[0]);
	return 0;
}

/* Of what was undone: the files went back, not what the machine has read of them. */
static void add_after_undo(const struct options *o, const char *remedy, const char *subject,
			   struct buf *said, struct buf *ret)
{
	struct fix_report report = { 0 };
	struct page page = look_page(ret, o->output);
	const struct fix_step *steps = NULL;
	struct arena a = { 0 };
	struct desk desk;
	bool open = desk_open_bare(o, &desk) == 0;
	size_t count = open ? fix_plan_after_undo(desk_db(&desk), &a, remedy, subject, &steps) : 0;

	if (o->shell)
		steps_shell(o->shell, &report.shell);
	buf_addf(ret, "%s is undone: %s%s\n", remedy,
		 said->len   ? said->data
		 : count > 0 ? "the files are as they were"
			     : "everything is as it was",
		 count > 0 ? "; then, by hand:" : "");
	fix_steps_text(&report, steps, count, &page);
	if (open)
		desk_close(&desk);
	arena_done(&a);
}

/* Empty: of the whole machine, or there is no record that can be read. */
static const char *find_subject(const struct options *o, struct fix_place *p)
{
	struct record r;
	const char *subject = "";

	if (fix_place_load(o, p, &r)) {
		subject = arena_text(&p->arena, span_of(r.subject));
		record_done(&r);
	}
	return subject;
}

int fix_hand_undo(const struct options *o)
{
	struct buf said BUF_SCOPED = { 0 };
	struct buf text BUF_SCOPED = { 0 };
	struct fix_place place = { 0 };
	const char *remedy = o->words[0];
	const char *name = NULL;
	const char *subject;
	int status = remedy[0] ? fix_place_open(o, &place)
			       : say_usage("fix", "which remedy? those: rocsteady fix --applied");
	int count, r;

	if (status != 0)
		return status;
	count = fix_place_find(&place, remedy, o->word_count > 1 ? o->words[1] : NULL, &name);
	if (count < 0 || count > 1) {
		fix_place_close(&place);
		if (count < 0)
			return EXIT_OWN_FAULT;
		return say_usage("fix", "%s was applied to several: name one of --applied", remedy);
	}
	subject = find_subject(o, &place);
	r = fix_undo(&place.shelf, count == 0 ? remedy : name, &said);
	if (r == 0)
		add_after_undo(o, remedy, subject, &said, &text);
	if (r == -ENOENT)
		forget_halves(&place);
	fix_place_close(&place);
	if (r == -ENOENT)
		return nothing_applied(o);
	return r < 0 ? say_failure(remedy, "undone", r, &said)
		     : say_answer(o->output, buf_get(&text));
}

/* ---- resume ---- */

bool fix_hand_is_begun(const struct options *o)
{
	struct fix_place place = { 0 };
	struct record r;
	bool begun = false;

	if (fix_place_open(o, &place) != 0)
		return false;
	begun = fix_place_load(o, &place, &r);
	if (begun)
		record_done(&r);
	fix_place_close(&place);
	return begun;
}

int fix_hand_resume(const struct options *o, const struct fix_report *report)
{
	struct fix_place place = { 0 };
	struct record r;
	int status = fix_place_open(o, &place);

	if (status != 0)
		return status;
	if (fix_place_load(o, &place, &r)) {
		struct remedy remedy = { .id = r.remedy };
		struct fix_item item = { .remedy = &remedy, .subject = r.subject };

		take_over(o, &place.arena, &r, &item);
		status = r.applied && !r.undoing ? say_already(r.remedy)
						 : carry_out(o, report, &item, &place, &r);
		record_done(&r);
	} else {
		status = EXIT_OWN_FAULT;
	}
	fix_place_close(&place);
	return status;
}
