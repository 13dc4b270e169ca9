#include "explain/fingerprint.h"
#include "report/explain-parts.h"
#include "report/markdown.h"

#define COMMENT_MOST 30 /* lines of a comment before its end: it is read between others */

void explain_text(const struct explain_report *r, struct page *p)
{
	struct document d = { 0 };

	explain_document(&d, r);
	document_text(&d, r->verbose ? DOCUMENT_LONG : DOCUMENT_SHORT,
		      &(struct document_style){ .indent = 2, .beside = true }, p);
	document_done(&d);
}

static struct document_frame frame_of(struct arena *a, const char *title, const char *section,
				      const char *kb_version, bool scrubbed)
{
	return (struct document_frame){
		.over = "rocsteady explain",
		.title = title,
		.section = section,
		.footer = arena_format(a, "rocsteady %s, knowledge base %s. %s", ROCSTEADY_VERSION,
				       kb_version,
				       scrubbed ? PAGE_SCRUBBED
						: "Lines of the log are quoted as they are, "
						  "names too."),
	};
}

void explain_page(const struct explain_report *r, bool is_part, struct page *p)
{
	struct document d = { 0 };
	struct document_frame frame;

	explain_document(&d, r);
	frame = frame_of(&d.arena, d.root.first->text, "The answer", r->kb_version, r->scrubbed);
	r->pages->write(&d, is_part ? NULL : &frame, p->out);
	document_done(&d);
}

static void around(const struct explain_summary *s, struct page *p,
		   void (*write)(const struct document_frame *, struct buf *))
{
	struct buf words BUF_SCOPED = { 0 };
	struct document_frame frame;
	struct arena a = { 0 };

	explain_summary_words(s, &words);
	frame = frame_of(&a, words.data, "File by file, the worst first", s->kb_version,
			 s->scrubbed);
	write(&frame, p->out);
	arena_done(&a);
}

void explain_page_begin(const struct explain_summary *s, struct page *p)
{
	around(s, p, s->pages->begin);
}

void explain_page_end(const struct explain_summary *s, struct page *p)
{
	around(s, p, s->pages->end);
}

void explain_page_unread(const struct explain_unread *u, struct page *p)
{
	struct document d = { 0 };
	struct document_node *n =
		document_addf(&d, &d.root, DOCUMENT_ANSWER, "Not read: %s", u->why);

	n->mark = PAGE_NOTE;
	n->word = "not read";
	n->place = u->file;
	u->pages->write(&d, NULL, p->out);
	document_done(&d);
}

/* ---- a comment ---- */

static void end_comment(const struct explain_report *r, struct arena *a, struct buf *out)
{
	const char *name = fingerprint(a, r->explanation);

	buf_addf(out, "<sub>Written by a program, rocsteady %s with the knowledge of %s. ",
		 ROCSTEADY_VERSION, r->kb_version);
	markdown_plain(out, r->used);
	buf_text(out, "; no person has checked it.");
	if (name)
		buf_addf(out, " Fingerprint `%s`.", name);
	buf_text(out, "</sub>\n");
}

void explain_comment(const struct explain_report *r, bool is_part, struct page *p)
{
	struct buf headline BUF_SCOPED = { 0 };
	struct document d = { 0 };
	size_t begun;

	explain_document(&d, r);
	if (is_part) {
		markdown_code(p->out, r->file);
		buf_text(p->out, "\n\n");
	}
	explain_headline(r, &headline);
	buf_text(p->out, "**");
	markdown_plain(p->out, headline.data);
	buf_text(p->out, "**");
	if (d.root.first->name)
		buf_addf(p->out, " (`%s`, %s)", d.root.first->name, d.root.first->word);
	buf_text(p->out, "\n\n");
	document_brief(d.root.first, DOCUMENT_COMMENT, COMMENT_MOST, p->out);
	buf_text(p->out, "<details><summary>Why, and the steps in full</summary>\n\n");
	begun = p->out->len;
	document_brief(d.root.first, DOCUMENT_FOLDED, COMMENT_MOST, p->out);
	document_brief(d.root.first, DOCUMENT_AT_END, COMMENT_MOST, p->out);
	buf_text(p->out, p->out->len > begun ? "" : "Nothing more is known of it.\n\n");
	buf_text(p->out, "All of it: `rocsteady explain`, with this text.\n</details>\n\n");
	end_comment(r, &d.arena, p->out);
	document_done(&d);
}
