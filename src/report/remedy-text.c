#include "report/remedy-text.h"

#include "report/check-sections.h"

/* A line of a remedy's steps that begins with four blanks is a command. */
static void steps(struct page *p, size_t indent, const char *text)
{
	struct span rest = span_of(text), line;

	while (span_line(&rest, &line)) {
		struct buf copy BUF_SCOPED = { 0 };

		if (span_trim(line).len == 0)
			continue;
		buf_span(&copy, line);
		if (span_starts(line, "    "))
			buf_addf(p->out, "%*s%s\n", (int)indent + 2, "", copy.data + 4);
		else
			page_line(p, indent, copy.data);
	}
}

void remedy_sentence(struct page *p, const char *text, const struct remedy_text *how)
{
	buf_addf(p->out, "%*s%zu  ", (int)how->indent, "", how->number);
	page_wrap(p, how->indent + 3, how->indent + 3, text);
}

void remedy_text(struct page *p, const struct remedy *r, const struct remedy_text *how)
{
	const char *risk = how->risk ? section_risk(r) : NULL;
	struct buf title BUF_SCOPED = { 0 };
	struct arena a = { 0 };

	buf_text(&title, r->title);
	if (risk)
		buf_addf(&title, " (%s)", risk);
	remedy_sentence(p, title.data, how);
	if (!how->whole)
		return;
	steps(p, how->indent + 3, steps_of(&a, r, how->shell));
	arena_done(&a);
	if (steps_exists(r->verify, r->job, how->shell)) {
		page_line(p, how->indent + 3, steps_check_title(r->steps));
		buf_addf(p->out, "%*s%s\n", (int)how->indent + 5, "", r->verify);
	}
}
