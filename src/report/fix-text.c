#include "report/fix.h"

#include <string.h>

#include "report/finding-text.h"

static const char *risk_of(const struct remedy *r)
{
	static const char *const words[][2] = { { "none", "without risk" },
						{ "low", "low risk" },
						{ "needs-root", "as root" },
						{ "needs-reboot", "as root, with a reboot" } };

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

static const char *first_id(const struct fix_report *r)
{
	return r->plan->count > 0 ? r->plan->items[0].remedy->id : NULL;
}

static void closing(const struct fix_report *r, struct page *p)
{
	const struct fix_plan *plan = r->plan;
	struct buf text BUF_SCOPED = { 0 };

	buf_text(&text, "Nothing was changed.");
	if (first_id(r))
		buf_addf(&text, " The steps of one: rocsteady fix %s", first_id(r));
	if (plan->optional > 0 && !r->verbose)
		buf_addf(&text, ". %zu more that %s not needed: --verbose", plan->optional,
			 plan->optional == 1 ? "is" : "are");
	buf_text(p->out, "\n   ");
	page_wrap(p, 3, 3, text.data);
}

static void nothing(const struct fix_report *r, struct page *p)
{
	const struct fix_plan *plan = r->plan;
	struct buf text BUF_SCOPED = { 0 };
	bool open = r->diagnosis->verdict == VERDICT_UNDECIDED;

	page_mark(p, open ? PAGE_UNDECIDED : PAGE_GOOD);
	if (open)
		buf_text(&text, "undecided: nothing is proposed before it is known what is wrong. "
				"What would decide it: rocsteady check");
	else
		buf_addf(&text, "nothing to fix: %zu checks found nothing wrong.",
			 r->diagnosis->check_count);
	if (plan->optional > 0)
		buf_addf(&text, " %zu that %s not needed: --verbose", plan->optional,
			 plan->optional == 1 ? "is" : "are");
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
		finding_heading(p, f);
		finding_evidence(p, f);
		buf_text(p->out, f->remedy_count > 0 ? "   remedies\n"
						     : "   no remedy is known for it here\n");
		items_of(r, p, f, &number);
	}
	if (any)
		closing(r, p);
	else
		nothing(r, p);
}

/* ---- one remedy ---- */

/* As they are, to be pasted. */
static void commands(struct page *p, const char *text, enum shell shell)
{
	struct arena a = { 0 };
	struct buf indented BUF_SCOPED = { 0 };
	struct span rest = span_of(text), line;

	while (span_line(&rest, &line))
		buf_addf(&indented, "    %.*s\n", (int)line.len, line.data);
	rest = span_of(steps_for(&a, indented.len ? indented.data : "", shell));
	while (span_line(&rest, &line))
		if (line.len > 4)
			buf_addf(p->out, "          %.*s\n", (int)line.len - 4, line.data + 4);
	arena_done(&a);
}

static void steps(const struct fix_report *r, const struct fix_item *item, struct page *p)
{
	for (size_t i = 0; i < item->step_count; i++) {
		const struct fix_step *step = &item->steps[i];

		buf_addf(p->out, "%*s%zu  ", i < 9 ? 5 : 4, "", i + 1);
		page_wrap(p, 8, 8, step->text[0] ? step->text : "Run:");
		commands(p, step->commands, r->shell);
	}
}

/* The strongest with its evidence; of the others, who they are. */
static void findings(const struct fix_item *item, struct page *p)
{
	buf_char(p->out, '\n');
	finding_heading(p, item->findings[0]);
	finding_evidence(p, item->findings[0]);
	for (size_t i = 1; i < item->finding_count; i++)
		finding_heading(p, item->findings[i]);
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
	buf_text(p->out, "\n   steps (a dry run: nothing was changed)\n");
	steps(r, item, p);
	buf_addf(p->out, "   see whether it helped\n          %s\n", remedy->verify);
}
