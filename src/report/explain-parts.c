#include "report/explain-parts.h"

#include <string.h>

#include "explain/defects.h"

void explain_headline(const struct explain_report *r, struct buf *ret)
{
	const struct explanation *e = r->explanation;

	if (e->word >= EXPLAIN_LIKELY)
		buf_text(ret, explain_title(e));
	else if (e->word == EXPLAIN_UNDECIDED)
		buf_addf(ret, "Undecided%s%s", e->first ? ": " : "",
			 e->first ? e->first->says : "");
	else if (e->word == EXPLAIN_NOT_RECOGNISED)
		buf_text(ret, e->failure->counts ? "Not recognised" : e->failure->says);
	else
		buf_addf(ret, "No known error in %llu %s", r->lines,
			 r->lines == 1 ? "line" : "lines");
}

enum page_mark explain_mark(const struct explanation *e)
{
	return e->word >= EXPLAIN_LIKELY    ? PAGE_PROBLEM
	       : e->word == EXPLAIN_NOTHING ? PAGE_GOOD
					    : PAGE_UNDECIDED;
}

const char *explain_said_word(enum explain_word word)
{
	static const char *const words[] = { "ok", "not recognised", "undecided", "likely",
					     "certain" };

	return words[word];
}

const char *explain_step_title(const struct explain_step *s)
{
	return s->remedy ? s->remedy->title : s->cure ? s->cure : s->says;
}

size_t explain_named(const struct explanation *e)
{
	return e->word >= EXPLAIN_LIKELY ? 1 : e->word == EXPLAIN_UNDECIDED ? e->spoken : 0;
}

const char *explain_step_cause(const struct explanation *e, const struct explain_step *s)
{
	bool several = e->family || (e->word == EXPLAIN_UNDECIDED && e->spoken > 1);
	bool apart = e->family && s->remedy == e->family->remedy;

	return several && !apart && s->cause ? s->cause->cause : NULL;
}

bool explain_has(const struct explanation *e, const char *kind)
{
	for (size_t i = 0; i < e->event_count; i++)
		if (strcmp(e->events[i].kind, kind) == 0)
			return true;
	return false;
}

const char *explain_defect_url(const struct defect_fit *d)
{
	return strncmp(d->reference, "https://", 8) == 0 ? d->reference : NULL;
}

struct explain_upstream explain_upstream(const struct explain_cause *c)
{
	const struct defect_fit *d = c->defect;

	return d ? (struct explain_upstream){ explain_defect_url(d), d->fixed_in }
		 : (struct explain_upstream){ 0 };
}
