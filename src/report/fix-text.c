#include "report/fix.h"

#include <string.h>

#include "base/text.h"
#include "fix/apply.h"
#include "report/finding-document.h"

static const char *risk_of(const struct remedy *r)
{
	static const char *const words[][2] = { { "none", "no risk" },
						{ "low", "low risk" },
						{ "needs-root", "needs root" },
						{ "needs-reboot", "needs root and a reboot" } };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcmp(r->risk, words[i][0]) == 0)
			return words[i][1];
	return r->risk;
}

static void row(struct page *p, const char *name, const char *text)
{
	if (text && text[0])
		page_row(p, 8, 17, name, text, "");
}

/* ---- the list ---- */

static void add_minutes(struct buf *out, int minutes)
{
	if (minutes < 60)
		buf_addf(out, "%d min", minutes);
	else if (minutes % 60)
		buf_addf(out, "%d h %d min", minutes / 60, minutes % 60);
	else
		buf_addf(out, "%d h", minutes / 60);
}

static void short_item(struct page *p, const struct fix_item *item, size_t number)
{
	const struct remedy *r = item->remedy;
	struct buf text BUF_SCOPED = { 0 };

	buf_addf(&text, "%s: %s", r->id, r->title);
	buf_addf(p->out, "%*s%zu  ", number < 10 ? 5 : 4, "", number);
	page_wrap(p, 8, 8, text.data);
	buf_clear(&text);
	add_minutes(&text, r->minutes);
	buf_addf(&text, ", %s", risk_of(r));
	row(p, "takes", text.data);
	row(p, "changes", r->changes);
	row(p, "needs", r->needs);
	if (item->action_count > 0)
		row(p, "automatic", "rocsteady can apply this: --apply (revert: --undo)");
}

/* Named where it was asked for, and where the remedy alone would not tell which is meant. */
static const char *subject_of(const struct fix_report *r, const struct fix_item *item, bool undo)
{
	size_t at = 0;

	if (r->subject && !undo)
		return r->subject;
	fix_plan_next(r->plan, item->remedy->id, NULL, &at);
	if (!r->subject && !fix_plan_next(r->plan, item->remedy->id, NULL, &at))
		return "";
	return undo ? item->subject : item->findings[0]->subject;
}

void fix_call_text(const struct fix_report *r, const struct fix_item *item, enum fix_call what,
		   struct buf *ret)
{
	static const char *const does[] = { "", " --apply", " --undo", " --verify" };
	const char *const options[] = { r->to_look, r->to_act, r->to_undo, r->to_act };
	const char *subject = subject_of(r, item, what == FIX_UNDO);
	bool changes = what == FIX_APPLY || what == FIX_UNDO;

	buf_addf(ret, "%srocsteady fix %s", changes && item->as_root ? "sudo " : "",
		 item->remedy->id);
	if (subject && subject[0] && subject[0] != '-') {
		buf_char(ret, ' ');
		text_shell(ret, span_of(subject));
	}
	buf_addf(ret, "%s%s", options[what], does[what]);
	if (subject && subject[0] == '-') { /* it would be an option */
		buf_text(ret, " -- ");
		text_shell(ret, span_of(subject));
	}
}

/* The items whose strongest finding this is. */
static void items_of(const struct fix_report *r, struct page *p, const struct finding *f,
		     size_t *number)
{
	for (size_t i = 0; i < r->plan->count; i++) {
		const struct fix_item *item = &r->plan->items[i];

		if (item->findings[0] == f && (r->verbose || !item->optional))
			short_item(p, item, ++*number);
	}
}

static bool is_listed(const struct fix_report *r, const struct finding *f)
{
	for (size_t i = 0; i < r->plan->count; i++)
		if (r->plan->items[i].findings[0] == f &&
		    (r->verbose || !r->plan->items[i].optional))
			return true;
	for (size_t i = 0; i < r->plan->bare_count; i++)
		if (r->plan->bare[i] == f)
			return true;
	return false;
}

static void closing(const struct fix_report *r, struct page *p)
{
	const struct fix_plan *plan = r->plan;

	buf_addf(p->out, "\n   Nothing was changed.%s\n",
		 plan->count > 0 ? " To see the steps:" : "");
	if (plan->count > 0) {
		buf_text(p->out, "          ");
		fix_call_text(r, &plan->items[0], FIX_SHOW, p->out);
		buf_char(p->out, '\n');
	}
	if (plan->optional > 0 && !r->verbose)
		buf_addf(p->out, "   %zu optional %s: --verbose\n", plan->optional,
			 plan->optional == 1 ? "fix" : "fixes");
}

static void nothing(const struct fix_report *r, struct page *p)
{
	const struct fix_plan *plan = r->plan;
	struct buf text BUF_SCOPED = { 0 };
	bool open = r->diagnosis->verdict == VERDICT_UNDECIDED;

	page_mark(p, open ? PAGE_UNDECIDED : PAGE_GOOD);
	if (open)
		buf_addf(&text,
			 "Cause unclear, so no fix is proposed. "
			 "To decide: rocsteady check%s",
			 r->to_look);
	else
		buf_addf(&text, "Nothing to fix: %zu checks found no problem.",
			 r->diagnosis->check_count);
	if (plan->optional > 0)
		buf_addf(&text, " %zu optional %s: --verbose", plan->optional,
			 plan->optional == 1 ? "fix" : "fixes");
	page_wrap(p, 3, 3, text.data);
}

void fix_list_text(const struct fix_report *r, struct page *p)
{
	const struct diagnosis *d = r->diagnosis;
	size_t number = 0;
	bool any = false;

	for (size_t i = 0; i < d->finding_count; i++) {
		const struct finding *f = &d->findings[i];

		if (!is_listed(r, f))
			continue;
		buf_text(p->out, any ? "\n" : "");
		any = true;
		finding_text(&(struct finding_report){ .parts = FINDING_SEEN }, f, p);
		buf_text(p->out, f->remedy_count > 0 ? "   Do this\n"
						     : "   No fix is known for this machine.\n");
		items_of(r, p, f, &number);
	}
	if (any)
		closing(r, p);
	else
		nothing(r, p);
}

/* ---- one remedy ---- */

static void add_commands(struct document *d, struct document_node *step, const char *text,
			 enum shell shell)
{
	struct buf indented BUF_SCOPED = { 0 };
	struct span rest = span_of(text), line;

	while (span_line(&rest, &line))
		buf_addf(&indented, "    %.*s\n", (int)line.len, line.data);
	if (indented.len > 0)
		document_add_lines(d, step, steps_for(&d->arena, indented.data, shell));
}

void fix_steps_text(const struct fix_report *r, const struct fix_step *list, size_t count,
		    struct page *p)
{
	struct document d = { 0 };
	struct document_node *to = document_add(&d, &d.root, DOCUMENT_SECTION, NULL);

	to->is_close = true;
	for (size_t i = 0; i < count; i++)
		add_commands(&d,
			     document_add(&d, to, DOCUMENT_STEP,
					  list[i].text[0] ? list[i].text : "Run:"),
			     list[i].commands, r->shell);
	document_text(&d, DOCUMENT_LONG, &(struct document_style){ .indent = 5 }, p);
	document_done(&d);
}

static void write_action(const struct fix_report *r, struct page *p, const struct apply_action *a)
{
	struct span rest = span_of(a->content), line;

	(void)r;
	buf_addf(p->out, "     write %s\n", a->target);
	while (span_line(&rest, &line))
		buf_addf(p->out, "          | %.*s\n", (int)line.len, line.data);
}

static void join_action(const struct fix_report *r, struct page *p, const struct apply_action *a)
{
	const char *colon = strchr(a->target, ':');

	buf_addf(p->out, "     run\n          sudo usermod -a -G %s ", colon + 1);
	if (r->tree) {
		buf_text(p->out, "-P ");
		text_shell(p->out, span_of(r->tree));
		buf_char(p->out, ' ');
	}
	buf_addf(p->out, "%s%.*s\n", a->target[0] == '-' ? "-- " : "", (int)(colon - a->target),
		 a->target);
}

static void venv_action(const struct fix_report *r, struct page *p, const struct apply_action *a)
{
	struct arena arena = { 0 };
	struct buf python BUF_SCOPED = { 0 };
	struct buf path BUF_SCOPED = { 0 };

	(void)r;
	buf_addf(&python, "%s/bin/python", a->target);
	text_shell(&path, span_of(fix_venv_path(&arena, a->target)));
	buf_addf(p->out, "     create %s; the old environment stays as it is\n          ",
		 path.data);
	text_shell(p->out, buf_get(&python));
	buf_addf(
		p->out,
		" -I -m venv %s\n          %s/bin/python -I -m pip --isolated --no-cache-dir install --index-url %s %s\n",
		path.data, path.data, a->place, a->content);
	arena_done(&arena);
}

void fix_actions_text(const struct fix_report *r, const struct fix_item *item, struct page *p)
{
	static void (*const show[])(const struct fix_report *, struct page *,
				    const struct apply_action *) = {
		[APPLY_WRITE] = write_action,
		[APPLY_JOIN_GROUP] = join_action,
		[APPLY_VENV] = venv_action,
	};

	for (size_t i = 0; i < item->action_count; i++)
		show[item->actions[i].kind](r, p, &item->actions[i]);
}

void fix_then_text(const struct fix_report *r, const struct fix_item *item, struct page *p)
{
	if (item->then_count == 0)
		return;
	buf_text(p->out, "   Then, by hand\n");
	fix_steps_text(r, item->then, item->then_count, p);
}

/* What the program would do by itself, and how it is told to. */
static void by_itself(const struct fix_report *r, const struct fix_item *item, struct page *p)
{
	struct buf text BUF_SCOPED = { 0 };

	if (item->action_count == 0) {
		buf_text(p->out, "   Only by hand: no part of this is safe to automate here.\n");
		return;
	}
	fix_call_text(r, item, FIX_APPLY, &text);
	buf_addf(p->out, "   rocsteady can do this%s; it asks first:\n          %s\n   It would\n",
		 r->elsewhere ? ", on that machine" : "", text.data);
	fix_actions_text(r, item, p);
	fix_then_text(r, item, p);
	buf_clear(&text);
	fix_call_text(r, item, FIX_UNDO, &text);
	buf_addf(p->out, "   To revert it, byte for byte:\n          %s\n", text.data);
	if (item->after_undo_count > 0)
		buf_text(p->out, "   After that, by hand\n");
	fix_steps_text(r, item->after_undo, item->after_undo_count, p);
}

/* The strongest with its evidence; of the others, who they are. */
static void findings(const struct fix_item *item, struct page *p)
{
	buf_char(p->out, '\n');
	for (size_t i = 0; i < item->finding_count; i++)
		finding_text(&(struct finding_report){ .parts = i == 0 ? FINDING_SEEN : 0 },
			     item->findings[i], p);
}

void fix_item_text(const struct fix_report *r, const struct fix_item *item, struct page *p)
{
	const struct remedy *remedy = item->remedy;
	struct buf text BUF_SCOPED = { 0 };

	page_heading(p, PAGE_NOTE, remedy->title, remedy->id);
	add_minutes(&text, remedy->minutes);
	buf_addf(&text, ", %s", risk_of(remedy));
	row(p, "takes", text.data);
	row(p, "changes", remedy->changes);
	row(p, "needs", remedy->needs);
	row(p, "undo", remedy->undo);
	findings(item, p);
	buf_text(p->out, "\n   Do this (dry run: nothing was changed)\n");
	fix_steps_text(r, item->steps, item->step_count, p);
	by_itself(r, item, p);
	buf_clear(&text);
	if (r->to_act[0]) /* another than this user of this host */
		fix_call_text(r, item, FIX_VERIFY, &text);
	else
		buf_text(&text, remedy->verify);
	buf_addf(p->out, "   Then check\n          %s\n", text.data);
}
