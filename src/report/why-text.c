#include "report/check.h"

#include <stdio.h>
#include <string.h>

#include "report/check-sections.h"

static const struct finding *same(const struct diagnosis *all, const struct finding *f)
{
	for (size_t i = 0; i < all->finding_count; i++)
		if (strcmp(all->findings[i].cause, f->cause) == 0 &&
		    strcmp(all->findings[i].subject, f->subject) == 0)
			return &all->findings[i];
	return NULL;
}

/* "   +45 dB  kfd-refused  text": the ids as wide as the longest. */
struct sheet {
	struct page *page;
	int ids;
};

static size_t indent_of(const struct sheet *s)
{
	return strlen("   +999 dB  ") + (size_t)s->ids + 1;
}

static struct sheet sheet_of(struct page *p, const struct finding *f)
{
	struct sheet s = { .page = p, .ids = (int)strlen("prior") };

	for (size_t i = 0; i < f->sign_count; i++)
		if ((int)strlen(f->signs[i].id) > s.ids)
			s.ids = (int)strlen(f->signs[i].id);
	return s;
}

static void put(const struct sheet *s, const char *word, const char *id, const char *text)
{
	struct page *p = s->page;
	size_t indent = indent_of(s);

	buf_addf(p->out, "   %7s  %-*s ", word, s->ids, id);
	page_wrap(p, indent, indent, text);
}

static void add(const struct sheet *s, int weight, const char *id, const char *text)
{
	char word[32];

	snprintf(word, sizeof(word), "%+d dB", weight);
	put(s, word, id, text);
}

static void yes(const struct sheet *s, const struct sign *l)
{
	struct buf text BUF_SCOPED = { 0 };

	buf_text(&text, l->says);
	if (l->counted == 0)
		buf_addf(&text, " [%+d, weaker than another line of group %s]", l->weight,
			 l->group ? l->group : "");
	else if (l->counted != l->weight)
		buf_addf(&text, " [%+d, reduced: only %s]", l->weight, l->origin);
	add(s, l->counted, l->id, text.data);
	if (l->source[0] && !strstr(l->says, l->source))
		page_dim(s->page, indent_of(s), l->source);
}

static void one_line(const struct sheet *s, const struct sign *l)
{
	struct buf text BUF_SCOPED = { 0 };

	switch (l->answer) {
	case ANSWER_YES:
		yes(s, l);
		break;
	case ANSWER_NO:
		buf_addf(&text, "[would count %+d]", l->weight);
		put(s, "no", l->id, text.data);
		break;
	case ANSWER_UNKNOWN:
		buf_addf(&text, "%s [would count %+d]", l->why, l->weight);
		put(s, "unknown", l->id, text.data);
		break;
	case ANSWER_FAILED:
		put(s, "failed", l->id, l->why);
		break;
	}
}

/* "= +25 dB: certain from 20, likely from 7" and how far the unknown reaches. */
static void total(const struct sheet *s, const struct finding *f)
{
	struct buf text BUF_SCOPED = { 0 };

	buf_addf(&text, "certain from %d, likely from %d", SCALE_CERTAIN, SCALE_LIKELY);
	if (f->most != f->sum)
		buf_addf(&text, "; unknown facts could raise it to %+d", f->most);
	if (f->least != f->sum)
		buf_addf(&text,
			 "; unknown facts could lower it to %+d, which would change the answer",
			 f->least);
	add(s, f->sum, "sum", text.data);
}

static void explain(struct page *p, const struct finding *f, const struct finding *in_all)
{
	struct sheet s = sheet_of(p, f);
	char name[160];

	snprintf(name, sizeof(name), "%s %s %s", f->cause, page_dot(p),
		 f->belief == BELIEF_NOTHING ? "not reported" : section_belief(f));
	page_heading(p, f->belief == BELIEF_NOTHING ? PAGE_NOTE : section_mark(f),
		     f->subject[0] ? f->subject : "this machine", name);
	add(&s, f->prior, "prior", "before any evidence");
	for (size_t i = 0; i < f->sign_count; i++)
		one_line(&s, &f->signs[i]);
	total(&s, f);
	if (in_all && in_all->because_of)
		buf_addf(p->out, "   consequence of %s\n", in_all->because_of);
	if (in_all && in_all->acknowledged)
		buf_addf(p->out, "   acknowledged until %s by %s\n", in_all->acknowledged_until,
			 in_all->acknowledged_by);
}

void why_text(const struct diagnosis *one, const struct diagnosis *all, struct page *p)
{
	for (size_t i = 0; i < one->finding_count; i++) {
		if (i > 0)
			buf_char(p->out, '\n');
		explain(p, &one->findings[i], same(all, &one->findings[i]));
	}
	for (size_t i = 0; i < one->check_count; i++)
		if (one->checks[i].error)
			buf_addf(p->out, "   This check could not run and is left out: %s\n",
				 one->checks[i].error);
}
