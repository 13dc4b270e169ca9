#include "report/finding-document.h"

#include <string.h>

#include "report/check-sections.h"

static const char *copy(struct document *d, const struct buf *text)
{
	return arena_text(&d->arena, buf_get(text));
}

static struct document_node *add_head(struct document *d, const struct finding_report *r,
				      const struct finding *f)
{
	const char *word = r->word ? r->word : section_belief(f);
	struct buf title BUF_SCOPED = { 0 };
	struct document_node *n;

	section_title(f, &title);
	n = document_add(d, &d->root, DOCUMENT_ANSWER, copy(d, &title));
	n->mark = section_mark(f);
	n->name = f->cause;
	n->word = f->because_of ? arena_format(&d->arena, "%s, because of %s", word, f->because_of)
				: word;
	return n;
}

static void add_others(struct document *d, struct document_node *to, const struct finding_report *r,
		       const struct finding *f)
{
	struct buf text BUF_SCOPED = { 0 };

	section_others(r->diagnosis, (size_t)(f - r->diagnosis->findings), &text);
	if (text.len > 0)
		document_add(d, to, DOCUMENT_TEXT, copy(d, &text));
}

static void add_acknowledged(struct document *d, struct document_node *to,
			     const struct finding_report *r, const struct finding *f)
{
	if (f->acknowledged && r->scrubbed)
		document_addf(d, to, DOCUMENT_TEXT, "Acknowledged until %s.",
			      f->acknowledged_until);
	else if (f->acknowledged)
		document_addf(d, to, DOCUMENT_TEXT, "Acknowledged until %s by %s: %s",
			      f->acknowledged_until, f->acknowledged_by, f->acknowledged);
}

/* ---- what to do ---- */

static void add_lines(struct document *d, struct document_node *to, const struct finding_report *r,
		      const struct remedy *remedy)
{
	struct arena *a = &d->arena;

	document_add_lines(d, to, steps_shared(a, steps_of(a, remedy, r->shell), &r->owner));
	if (remedy->undo)
		document_addf(d, to, DOCUMENT_TEXT, "Undo: %s",
			      steps_shared_command(a, remedy->undo, &r->owner))
			->forms = DOCUMENT_PAGE;
	if (steps_exists(remedy->verify, remedy->job, r->shell)) {
		document_add(d, to, DOCUMENT_TEXT, steps_check_title(remedy->steps));
		document_add(d, to, DOCUMENT_COMMAND,
			     steps_shared_command(a, remedy->verify, &r->owner));
	}
}

/* The first whole, the others by their titles. */
void finding_add_steps(struct document *d, struct document_node *to, const struct finding_report *r,
		       const struct finding *f)
{
	struct document_node *n, *line;

	for (size_t i = 0; i < f->remedy_count; i++) {
		const char *risk = section_risk(f->remedies[i]), *title = f->remedies[i]->title;

		n = document_add(d, to, DOCUMENT_STEP,
				 risk ? arena_format(&d->arena, "%s (%s)", title, risk) : title);
		add_lines(d, n, r, f->remedies[i]);
		for (line = n->first; line && i > 0; line = line->next)
			line->forms &= ~(unsigned int)DOCUMENT_SHORT;
	}
}

/* ---- what was seen ---- */

static void add_sign(struct document *d, struct document_node *to, const struct sign *l)
{
	struct document_node *n = document_add(d, to, DOCUMENT_SIGN, l->says);

	if (l->source[0] && !strstr(l->says, l->source))
		n->place = l->source;
	if (l->rows > 1)
		n->word = arena_format(&d->arena, "and %zu more like it", l->rows - 1);
}

static bool is_said_before(const struct finding *f, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (f->signs[i].answer == ANSWER_UNKNOWN &&
		    strcmp(f->signs[i].why, f->signs[at].why) == 0)
			return true;
	return false;
}

static void add_seen(struct document *d, struct document_node *answer,
		     const struct finding_report *r, const struct finding *f)
{
	struct document_node *to = answer;

	if (r->parts & FINDING_SEEN) {
		to = document_add(d, answer, DOCUMENT_SECTION, "Seen");
		to->is_close = !(r->parts & FINDING_STORY);
		to->is_folded = true;
	}
	for (size_t i = 0; i < f->sign_count && r->parts & FINDING_SEEN; i++)
		if (f->signs[i].answer == ANSWER_YES && f->signs[i].counted != 0)
			add_sign(d, to, &f->signs[i]);
	for (size_t i = 0; i < f->sign_count && r->parts & FINDING_UNKNOWN; i++)
		if (f->signs[i].answer == ANSWER_UNKNOWN && !is_said_before(f, i))
			document_add(d, to, DOCUMENT_TEXT, f->signs[i].why)->word = "Not known";
	if (f->undecided && !f->holds && r->parts & FINDING_DECIDE)
		document_add(d, to, DOCUMENT_TEXT, f->undecided)->word = "To decide";
}

void finding_add(struct document *d, const struct finding_report *r, const struct finding *f)
{
	struct document_node *answer = add_head(d, r, f);

	if (r->parts & FINDING_OTHERS)
		add_others(d, answer, r, f);
	if (r->parts & FINDING_ACKNOWLEDGED)
		add_acknowledged(d, answer, r, f);
	if (r->parts & FINDING_STEPS && f->remedy_count > 0)
		finding_add_steps(d, document_add(d, answer, DOCUMENT_SECTION, "Do this"), r, f);
	add_seen(d, answer, r, f);
	if (r->parts & FINDING_STORY)
		document_add(d, document_add(d, answer, DOCUMENT_SECTION, "Background"),
			     DOCUMENT_TEXT, f->story);
}

void finding_text(const struct finding_report *r, const struct finding *f, struct page *p)
{
	struct document d = { 0 };

	finding_add(&d, r, f);
	document_text(&d, r->verbose ? DOCUMENT_LONG : DOCUMENT_SHORT,
		      &(struct document_style){ .indent = 3 }, p);
	document_done(&d);
}
