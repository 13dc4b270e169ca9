#include "base/text.h"
#include "report/document.h"

#define LEAD_INDENT 3   /* of what stands below a headline: behind its mark */
#define QUOTE_MAX   150 /* columns: what to do has to stand on the first screen */
#define PLACE_WIDE  26  /* a longer place stands below its sign */

struct text_writer {
	struct page *page;
	const struct document_style *style;
	unsigned int form;
	size_t indent;
	size_t number; /* among its kind */
	size_t column; /* of a sign beside its place; 0: below each other */
	bool leads;    /* it is the first below its parent */
};

static void write_nodes(struct text_writer w, const struct document_node *parent);

/* Code has no mark of its own in a text; false if there is none in it. */
static bool plain(const char *text, struct buf *ret)
{
	bool is_code, any = false;
	struct span piece;

	while (document_piece(&text, &is_code, &piece)) {
		buf_span(ret, piece);
		any |= is_code;
	}
	buf_text(ret, "");
	return any;
}

/* Of a run of signs. */
static size_t column_of(const struct text_writer *w, const struct document_node *n)
{
	size_t widest = 0;

	if (n->kind != DOCUMENT_SIGN || !w->style->beside)
		return 0;
	for (; n && n->kind == DOCUMENT_SIGN; n = document_shown(n->next, w->form)) {
		size_t width = text_width(span_of(n->place));

		widest = width > widest ? width : widest;
	}
	return widest <= PLACE_WIDE ? w->indent + widest + 2 : 0;
}

/* What stands before a line that is quoted first is a part of the headline. */
static void write_answer(const struct text_writer *w, const struct document_node *n)
{
	const struct document_node *quote = document_shown(n->first, w->form);
	struct buf left BUF_SCOPED = { 0 }, right BUF_SCOPED = { 0 };
	struct text_writer below = *w;

	if (n->mark == PAGE_UNDECIDED && n->name)
		buf_text(&left, "Unclear: ");
	plain(n->text, &left);
	if (quote && quote->kind == DOCUMENT_QUOTE && quote->word)
		buf_addf(&left, ". %s", quote->word);
	if (n->name) {
		buf_addf(&right, "%s %s %s", n->name, page_dot(w->page), n->word);
		page_heading(w->page, n->mark, left.data, right.data);
	} else {
		page_mark(w->page, n->mark);
		page_wrap(w->page, LEAD_INDENT, LEAD_INDENT, left.data);
	}
	below.indent = LEAD_INDENT;
	write_nodes(below, n);
}

static void write_section(const struct text_writer *w, const struct document_node *n)
{
	struct buf title BUF_SCOPED = { 0 };
	struct text_writer below = *w;

	buf_text(w->page->out, n->is_close ? "" : "\n");
	below.indent = w->style->indent;
	if (n->text) {
		buf_text(&title, n->text);
		if (n->name && w->form == DOCUMENT_LONG) /* else it is the only one */
			buf_addf(&title, " (%s)", n->name);
		page_line(w->page, below.indent, title.data);
		below.indent += 2;
	}
	write_nodes(below, n);
}

/* A command within the words stays on one line. */
static void write_text(const struct text_writer *w, const struct document_node *n)
{
	size_t indent = n->word ? w->style->indent + 2 : w->indent;
	struct buf text BUF_SCOPED = { 0 };
	bool has_code = plain(n->text, &text);

	buf_addf(w->page->out, "%*s%s%s", (int)indent, "", n->word ? n->word : "",
		 n->word ? ": " : "");
	if (has_code)
		buf_addf(w->page->out, "%s\n", text.data);
	else if (n->word)
		page_wrap(w->page, indent + text_width(span_of(n->word)) + 2, indent + 2,
			  text.data);
	else
		page_wrap(w->page, indent, indent, text.data);
}

static void write_note(const struct text_writer *w, const struct document_node *n)
{
	struct buf text BUF_SCOPED = { 0 };

	plain(n->text, &text);
	page_dim(w->page, w->indent, text.data);
}

static void write_link(const struct text_writer *w, const struct document_node *n)
{
	buf_addf(w->page->out, "%*s%s: %s\n", (int)w->indent, "", n->text, n->place);
}

static void write_quote(const struct text_writer *w, const struct document_node *n)
{
	struct span text = text_columns(span_of(n->text), QUOTE_MAX);
	struct buf cut BUF_SCOPED = { 0 };

	if (n->word && !w->leads)
		page_line(w->page, w->indent, n->word);
	buf_addf(&cut, "%.*s%s", (int)text.len, text.data, n->text[text.len] ? "..." : "");
	buf_addf(w->page->out, "%*s%s  ", (int)w->indent + 2, "", n->place);
	page_wrap(w->page, w->indent + 4 + text_width(span_of(n->place)), w->indent + 4, cut.data);
}

static void write_name(const struct text_writer *w, const struct document_node *n)
{
	page_pair(w->page, w->indent, n->text, n->name);
}

static void write_sign(const struct text_writer *w, const struct document_node *n)
{
	struct buf below BUF_SCOPED = { 0 };

	if (w->column > 0) {
		page_row(w->page, w->indent, w->column, n->place, n->text, "");
		return;
	}
	page_line(w->page, w->indent, n->text);
	buf_addf(&below, "%s%s%s", n->place ? n->place : "", n->place && n->word ? ", " : "",
		 n->word ? n->word : "");
	if (below.len > 0)
		page_dim(w->page, w->indent + 2, below.data);
}

static void write_step(const struct text_writer *w, const struct document_node *n)
{
	struct text_writer below = *w;

	below.indent += 3;
	buf_addf(w->page->out, "%*zu  ", (int)w->indent + 1, w->number);
	page_wrap(w->page, below.indent, below.indent, n->text);
	write_nodes(below, n);
	if (n->name)
		page_dim(w->page, below.indent, n->name);
}

/* Not wrapped, so that it can be pasted. */
static void write_command(const struct text_writer *w, const struct document_node *n)
{
	buf_addf(w->page->out, "%*s%s\n", (int)w->indent + 2, "", n->text);
}

static void write_nodes(struct text_writer w, const struct document_node *parent)
{
	static void (*const by_kind[])(const struct text_writer *, const struct document_node *) = {
		[DOCUMENT_ANSWER] = write_answer, [DOCUMENT_SECTION] = write_section,
		[DOCUMENT_TEXT] = write_text,     [DOCUMENT_NOTE] = write_note,
		[DOCUMENT_LINK] = write_link,     [DOCUMENT_QUOTE] = write_quote,
		[DOCUMENT_NAME] = write_name,     [DOCUMENT_SIGN] = write_sign,
		[DOCUMENT_STEP] = write_step,     [DOCUMENT_COMMAND] = write_command,
	};
	const struct document_node *before = NULL, *n = document_shown(parent->first, w.form);

	for (; n; before = n, n = document_shown(n->next, w.form)) {
		w.leads = !before;
		w.number = document_number(parent, n);
		if (!before || before->kind != n->kind)
			w.column = column_of(&w, n);
		by_kind[n->kind](&w, n);
	}
}

void document_text(const struct document *d, unsigned int form, const struct document_style *style,
		   struct page *p)
{
	write_nodes((struct text_writer){ .page = p, .style = style, .form = form }, &d->root);
}
