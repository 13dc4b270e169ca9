#include <string.h>

#include "report/document.h"
#include "report/html.h"

static void write_nodes(struct buf *out, const struct document_node *parent);

static void add_pieces(struct buf *out, const char *text)
{
	struct span piece;
	bool is_code;

	while (document_piece(&text, &is_code, &piece))
		html(out, is_code ? "<code>%.*s</code>" : "%.*s", (int)piece.len, piece.data);
}

static void add_code(struct buf *out, const char *before, const char *text)
{
	if (text)
		html(out, "%s<code>%s</code>", before, text);
}

static void write_answer(struct buf *out, const struct document_node *n)
{
	const char *kind = html_kind(n->mark);

	html(out, "<article class=\"finding %s\"><h3>", kind);
	if (n->name || n->mark == PAGE_GOOD ||
	    !strcasestr(n->text, n->word)) /* else it says so itself */
		html_mark(out, kind, n->word);
	add_pieces(out, n->text);
	buf_text(out, "</h3>\n<p class=\"small dim\">");
	add_code(out, "", n->name);
	add_code(out, n->name ? " \xc2\xb7 " : "", n->place);
	buf_text(out, "</p>\n");
	write_nodes(out, n);
	buf_text(out, "</article>\n");
}

/* The title of a table is its caption. One of several is folded, so that their names are one screen. */
static void write_section(struct buf *out, const struct document_node *n)
{
	const struct document_node *first = document_shown(n->first, DOCUMENT_PAGE);

	if (n->is_folded) {
		html(out, "<details><summary>%s", n->text);
		add_code(out, " ", n->name);
		buf_text(out, "</summary>\n");
	} else if (n->text && !(first && first->kind == DOCUMENT_SIGN))
		html(out, "<h4>%s</h4>\n", n->text);
	write_nodes(out, n);
	buf_text(out, n->is_folded ? "</details>\n" : "");
}

static void write_text(struct buf *out, const struct document_node *n)
{
	buf_text(out, n->kind == DOCUMENT_NOTE ? "<p class=\"small dim\">" : "<p>");
	if (n->word)
		html(out, "<b>%s:</b> ", n->word);
	add_pieces(out, n->text);
	buf_text(out, "</p>\n");
}

static void write_link(struct buf *out, const struct document_node *n)
{
	html(out, "<p class=\"small\">%s: %s</p>\n", n->text, n->place);
}

static void write_quote(struct buf *out, const struct document_node *n)
{
	html(out, "<p>%s <code>%s</code>:</p>\n<pre><code>%s</code></pre>\n", n->word, n->place,
	     n->text);
}

static void write_name(struct buf *out, const struct document_node *n)
{
	html(out, "<li>%s <code>%s</code></li>\n", n->text, n->name);
}

static void write_sign(struct buf *out, const struct document_node *n)
{
	html(out, "<tr><td>%s", n->text);
	if (n->word)
		html(out, " <span class=\"dim\">%s</span>", n->word);
	html(out, "</td><td><code>%s</code></td></tr>\n", n->place);
}

static void write_step(struct buf *out, const struct document_node *n, bool open)
{
	html(out, "<li><details%s><summary>%s</summary>\n", open ? " open" : "", n->text);
	write_nodes(out, n);
	if (n->name)
		html(out, "<p class=\"small dim\">For <code>%s</code></p>\n", n->name);
	buf_text(out, "</details></li>\n");
}

/* Around a run of nodes of one kind, and between two of them. */
static const struct {
	const char *begin, *between, *end;
} runs[] = {
	[DOCUMENT_NAME] = { "<ul>\n", "", "</ul>\n" },
	[DOCUMENT_SIGN] = { "<div class=\"wide\"><table class=\"stack\"><caption>", "",
			    "</tbody></table></div>\n" },
	[DOCUMENT_STEP] = { "<ol class=\"steps\">\n", "", "</ol>\n" },
	[DOCUMENT_COMMAND] = { "<pre><code>", "\n", "</code></pre>\n" },
};

static void begin_run(struct buf *out, const struct document_node *parent, enum document_kind kind)
{
	buf_text(out, runs[kind].begin);
	if (kind == DOCUMENT_SIGN)
		html(out,
		     "%s</caption><thead><tr><th>what</th><th>where</th></tr></thead>\n<tbody>",
		     parent->text);
}

static void write_node(struct buf *out, const struct document_node *n, bool first)
{
	static void (*const by_kind[])(struct buf *, const struct document_node *) = {
		[DOCUMENT_ANSWER] = write_answer, [DOCUMENT_SECTION] = write_section,
		[DOCUMENT_TEXT] = write_text,     [DOCUMENT_NOTE] = write_text,
		[DOCUMENT_LINK] = write_link,     [DOCUMENT_QUOTE] = write_quote,
		[DOCUMENT_NAME] = write_name,     [DOCUMENT_SIGN] = write_sign,
	};

	if (n->kind == DOCUMENT_STEP)
		write_step(out, n, first);
	else if (n->kind == DOCUMENT_COMMAND)
		html(out, "%s", n->text);
	else
		by_kind[n->kind](out, n);
}

static void write_nodes(struct buf *out, const struct document_node *parent)
{
	const struct document_node *n = document_shown(parent->first, DOCUMENT_PAGE), *next;
	bool first = true;

	for (; n; n = next) {
		bool has_run = n->kind >= DOCUMENT_NAME;

		next = document_shown(n->next, DOCUMENT_PAGE);
		if (first && has_run)
			begin_run(out, parent, n->kind);
		write_node(out, n, first);
		first = !next || next->kind != n->kind;
		if (has_run)
			buf_text(out, first ? runs[n->kind].end : runs[n->kind].between);
	}
}

static void begin_page(const struct document_frame *f, struct buf *out)
{
	html_begin(out, f->title);
	html(out,
	     "<header>\n<p class=\"over\">%s</p>\n<h1>%s</h1>\n</header>\n<main>\n"
	     "<section><h2>%s</h2>\n",
	     f->over, f->title, f->section);
}

static void end_page(const struct document_frame *f, struct buf *out)
{
	html(out, "</section>\n</main>\n<footer>\n<p>%s</p>\n</footer>\n", f->footer);
	html_end(out);
}

static void write_page(const struct document *d, const struct document_frame *f, struct buf *out)
{
	if (f)
		begin_page(f, out);
	write_nodes(out, &d->root);
	if (f)
		end_page(f, out);
}

const struct document_pages document_html = { begin_page, write_page, end_page };
