#include "report/annotations.h"
#include "report/explain-parts.h"

/* The line that shows it: of a known failure the first, of an unknown one the last. */
static void add_seen(const struct explanation *e, struct buf *says)
{
	const struct failure *f = e->failure;

	if (e->first)
		buf_addf(says, "%s: %s\n", e->first->source, e->first->text);
	else if (f && f->counts)
		buf_addf(says, "line %llu: %s\n", (unsigned long long)f->last.line, f->last.text);
}

static void add_step(const struct explanation *e, struct buf *says)
{
	const struct explain_step *s = e->steps;

	if (e->step_count == 0)
		return;
	buf_addf(says, "Do this: %s\n", explain_step_title(s));
	if (s->typed)
		buf_addf(says, "%s\n", s->typed);
}

void explain_annotations(const struct explain_report *r, bool is_part, struct page *p)
{
	const struct explanation *e = r->explanation;
	struct buf title BUF_SCOPED = { 0 }, says BUF_SCOPED = { 0 };

	explain_headline(r, &title);
	buf_addf(&title, " (%s)", explain_said_word(e->word));
	if (is_part)
		buf_addf(&says, "%s\n", r->file);
	add_seen(e, &says);
	add_step(e, &says);
	if (e->word >= BELIEF_LIKELY)
		buf_addf(&says, "More: rocsteady kb show %s\n", e->causes[0].cause);
	annotations_add(p->out, &(struct annotation){ explain_mark(e), title.data, NULL,
						      says.data ? says.data : "" });
}

void explain_annotations_unread(const struct explain_unread *u, struct page *p)
{
	struct buf says BUF_SCOPED = { 0 };

	buf_addf(&says, "%s: %s", u->file, u->why);
	annotations_add(p->out, &(struct annotation){ PAGE_WARNING, "Not read", NULL, says.data });
}
