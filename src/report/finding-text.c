#include "report/finding-text.h"

#include <string.h>

#include "report/check-sections.h"

void finding_heading_as(struct page *p, const struct finding *f, const char *word)
{
	struct buf left BUF_SCOPED = { 0 };
	struct buf right BUF_SCOPED = { 0 };

	if (!f->holds)
		buf_text(&left, "Unclear: ");
	section_title(f, &left);
	buf_addf(&right, "%s %s %s", f->cause, page_dot(p), word);
	if (f->because_of)
		buf_addf(&right, ", because of %s", f->because_of);
	page_heading(p, section_mark(f), left.data, right.data);
}

void finding_heading(struct page *p, const struct finding *f)
{
	finding_heading_as(p, f, section_belief(f));
}

static void evidence_line(struct page *p, const struct line *l)
{
	struct buf source BUF_SCOPED = { 0 };

	page_line(p, 5, l->says);
	if (l->source[0] && !strstr(l->says, l->source))
		buf_text(&source, l->source);
	if (l->rows > 1)
		buf_addf(&source, "%s%zu more like it", source.len ? ", and " : "and ",
			 l->rows - 1);
	if (source.len > 0)
		page_dim(p, 7, source.data);
}

void finding_evidence(struct page *p, const struct finding *f)
{
	buf_text(p->out, "   Seen\n");
	for (size_t i = 0; i < f->line_count; i++)
		if (f->lines[i].answer == ANSWER_YES && f->lines[i].counted != 0)
			evidence_line(p, &f->lines[i]);
}
