#include "cli/explain-format.h"

#include <string.h>

static void write_text(const struct explain_report *r, bool is_part, struct page *p)
{
	if (is_part && !r->verbose) {
		explain_brief(r, p);
		return;
	}
	if (is_part)
		buf_addf(p->out, "==> %s\n", r->file);
	explain_text(r, p);
	if (is_part)
		buf_char(p->out, '\n');
}

static void write_json(const struct explain_report *r, bool is_part, struct page *p)
{
	(void)is_part;
	if (r->verbose)
		explain_json(r, p->out);
	else
		explain_compact(r, p->out);
}

static const struct explain_format formats[] = {
	{ "text", write_text, true, false, true, NULL, explain_summary_text, NULL, NULL },
	{ "json", write_json, false, false, false, NULL, NULL, explain_json_unread, NULL },
	{ "markdown", explain_page, true, true, true, explain_page_begin, explain_page_end,
	  explain_page_unread, &document_markdown },
	{ "html", explain_page, true, true, true, explain_page_begin, explain_page_end,
	  explain_page_unread, &document_html },
	{ "comment", explain_comment, true, true, true, NULL, NULL, explain_page_unread,
	  &document_markdown },
	{ "github", explain_annotations, true, true, true, NULL, NULL, explain_annotations_unread,
	  NULL },
};

const struct explain_format *explain_format_of(const struct options *o)
{
	const char *name = o->format ? o->format : "text";

	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		if (strcmp(formats[i].name, name) == 0)
			return &formats[i];
	return &formats[0];
}

bool explain_format_lists(const struct options *o)
{
	return explain_format_of(o)->write == write_json && o->verbose;
}
