#include "report/annotations.h"
#include "report/check-sections.h"
#include "report/check.h"

static void add_finding(const struct diagnosis *d, size_t at, struct buf *ret)
{
	const struct finding *f = &d->findings[at];
	struct buf title BUF_SCOPED = { 0 }, says BUF_SCOPED = { 0 };

	section_title(f, &title);
	buf_addf(&title, " (%s)", section_belief(f));
	section_others(d, at, &says);
	if (says.len > 0)
		buf_char(&says, '\n');
	for (size_t i = 0; i < f->sign_count; i++)
		if (f->signs[i].answer == ANSWER_YES && f->signs[i].counted != 0)
			buf_addf(&says, "%s\n", f->signs[i].says);
	if (f->remedy_count > 0)
		buf_addf(&says, "Do this: %s\n", f->remedies[0]->title);
	buf_addf(&says, "More: rocsteady kb show %s\n", f->cause);
	annotations_add(ret, &(struct annotation){ section_mark(f), title.data, NULL, says.data });
}

void check_annotations(const struct check_report *r, struct buf *ret)
{
	const struct diagnosis *d = r->diagnosis;
	struct arena a = { 0 };

	for (size_t i = 0; i < d->finding_count; i++)
		if (section_leads(d, i))
			add_finding(d, i, ret);
	if (ret->len == 0 && d->verdict != VERDICT_READY)
		annotations_add(ret, &(struct annotation){ PAGE_UNDECIDED, "rocsteady check", NULL,
							   check_sentence(r, &a) });
	arena_done(&a);
}
