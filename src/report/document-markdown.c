#include <string.h>

#include "base/text.h"
#include "report/document.h"
#include "report/markdown.h"

#define FENCE       "````"
#define QUOTE_BYTES 200 /* in a comment */
#define LINES_KEPT  6   /* of a comment, for what stands behind its steps */
#define GITHUB      "https://github.com/"

struct markdown_writer {
	struct buf *out;
	unsigned int form;
	const char *level;  /* of a headline */
	const char *indent; /* of what belongs to a step */
	size_t most;        /* lines; 0: any number, and blank lines between */
};

static void write_nodes(const struct markdown_writer *w, const struct document_node *parent);

static void add_pieces(struct buf *out, const char *text)
{
	struct arena a = { 0 };
	struct span piece;
	bool is_code;

	while (document_piece(&text, &is_code, &piece))
		(is_code ? markdown_code : markdown_plain)(out, arena_text(&a, piece));
	arena_done(&a);
}

static void add_code(struct buf *out, const char *before, const char *text)
{
	if (!text)
		return;
	buf_text(out, before);
	markdown_code(out, text);
}

static void write_answer(const struct markdown_writer *w, const struct document_node *n)
{
	buf_text(w->out, w->level);
	add_pieces(w->out, n->text);
	add_code(w->out, "\n\n", n->name);
	buf_addf(w->out, "%s%s", n->name ? ", " : "\n\n", n->word);
	add_code(w->out, ", ", n->place);
	buf_text(w->out, "\n\n");
	write_nodes(w, n);
}

static void write_section(const struct markdown_writer *w, const struct document_node *n)
{
	if (n->text && (w->most == 0 || n->first->kind == DOCUMENT_NAME)) {
		buf_addf(w->out, "**%s**", n->text);
		add_code(w->out, " ", n->name);
		buf_text(w->out, "\n\n");
	}
	write_nodes(w, n);
}

/* A fence needs no blank line behind it, where lines are few. */
static void write_text(const struct markdown_writer *w, const struct document_node *n)
{
	bool joins = w->most > 0 && span_ends(buf_get(w->out), FENCE "\n");

	buf_text(w->out, w->indent[0] && !joins ? "\n" : "");
	buf_addf(w->out, "%s%s%s", w->indent, n->word ? n->word : "", n->word ? ": " : "");
	add_pieces(w->out, n->text);
	buf_text(w->out, w->indent[0] ? "\n" : "\n\n");
}

/*
 * "[ROCm/ROCm#5151](...)". The address goes by a host that forwards: a plain one would leave a
 * note of every comment in the thread that it names.
 */
static bool add_thread(struct buf *out, const char *url)
{
	struct span rest, owner, name, kind, number;

	if (strncmp(url, GITHUB, strlen(GITHUB)) != 0)
		return false;
	rest = span_of(url + strlen(GITHUB));
	if (!span_cut(&rest, '/', &owner) || !span_cut(&rest, '/', &name) ||
	    !span_cut(&rest, '/', &kind) || !span_cut(&rest, '#', &number) ||
	    !(span_is(kind, "issues") || span_is(kind, "pull")))
		return false;
	buf_addf(out, "[`%.*s/%.*s#%.*s`](https://redirect.github.com/%s)", (int)owner.len,
		 owner.data, (int)name.len, name.data, (int)number.len, number.data,
		 url + strlen(GITHUB));
	return true;
}

static void write_link(const struct markdown_writer *w, const struct document_node *n)
{
	buf_addf(w->out, "%s: ", n->text);
	if (w->most == 0 || !add_thread(w->out, n->place))
		buf_addf(w->out, "<%s>", n->place);
	buf_text(w->out, "\n\n");
}

/* The line is code: nothing in it is obeyed, and nothing is escaped. */
static void write_quote(const struct markdown_writer *w, const struct document_node *n)
{
	struct span cut = text_cut(span_of(n->text), QUOTE_BYTES);
	struct arena a = { 0 };

	buf_addf(w->out, "%s%s", n->word ? n->word : "", n->word ? " " : "");
	markdown_code(w->out, n->place);
	if (w->most == 0)
		buf_addf(w->out, ":\n\n    %s", n->text);
	else
		add_code(w->out, ": ",
			 arena_format(&a, "%.*s%s", (int)cut.len, cut.data,
				      n->text[cut.len] ? " …" : ""));
	buf_text(w->out, "\n\n");
	arena_done(&a);
}

static void write_name(const struct markdown_writer *w, const struct document_node *n)
{
	buf_text(w->out, "- ");
	markdown_plain(w->out, n->text);
	buf_addf(w->out, " (`%s`)\n", n->name);
}

static void write_sign(const struct markdown_writer *w, const struct document_node *n)
{
	buf_text(w->out, w->most > 0 ? "- " : "| ");
	markdown_plain(w->out, n->text);
	buf_addf(w->out, "%s%s", n->word ? ", " : "", n->word ? n->word : "");
	add_code(w->out, w->most > 0 ? " (" : " | ", n->place && n->place[0] ? n->place : "-");
	buf_text(w->out, w->most > 0 ? ")\n" : " |\n");
}

static void write_title(const struct markdown_writer *w, const struct document_node *n,
			size_t number)
{
	buf_addf(w->out, "%zu. ", number);
	markdown_plain(w->out, n->text);
	if (n->name)
		buf_addf(w->out, " (`%s`)", n->name);
	buf_char(w->out, '\n');
}

static void write_node(const struct markdown_writer *w, const struct document_node *n,
		       size_t number)
{
	static void (*const by_kind[])(const struct markdown_writer *,
				       const struct document_node *) = {
		[DOCUMENT_ANSWER] = write_answer, [DOCUMENT_SECTION] = write_section,
		[DOCUMENT_TEXT] = write_text,     [DOCUMENT_NOTE] = write_text,
		[DOCUMENT_LINK] = write_link,     [DOCUMENT_QUOTE] = write_quote,
		[DOCUMENT_NAME] = write_name,     [DOCUMENT_SIGN] = write_sign,
	};
	struct markdown_writer below = *w;

	if (n->kind == DOCUMENT_COMMAND) {
		buf_addf(w->out, "%s%s\n", w->indent, n->text);
	} else if (n->kind == DOCUMENT_STEP) {
		write_title(w, n, number);
		below.indent = "   ";
		write_nodes(&below, n);
	} else {
		by_kind[n->kind](w, n);
	}
}

static bool is_too_long(const struct markdown_writer *w, size_t kept)
{
	size_t lines = 0;

	for (size_t i = 0; w->most > 0 && i < w->out->len; i++)
		lines += w->out->data[i] == '\n';
	return w->most > 0 && lines + kept > w->most;
}

/* Half of a step is none: it is left out whole, but for its title. */
static void write_if_short(const struct markdown_writer *w, const struct document_node *n,
			   size_t number)
{
	bool is_open = n->kind == DOCUMENT_STEP && w->form == DOCUMENT_COMMENT;
	size_t before = w->out->len;

	write_node(w, n, number);
	if (n->kind == DOCUMENT_SECTION || w->indent[0] ||
	    !is_too_long(w, is_open ? LINES_KEPT : 0))
		return;
	w->out->len = before;
	if (is_open)
		write_title(w, n, number);
}

/* Around a run of nodes of one kind. */
static void begin_run(const struct markdown_writer *w, enum document_kind kind)
{
	if (kind == DOCUMENT_SIGN && w->most == 0)
		buf_text(w->out, "| seen | where |\n|---|---|\n");
	else if (kind == DOCUMENT_COMMAND)
		buf_addf(w->out, "%s%s" FENCE "sh\n", w->most == 0 && w->indent[0] ? "\n" : "",
			 w->indent);
}

static void end_run(const struct markdown_writer *w, enum document_kind kind)
{
	if (kind == DOCUMENT_COMMAND)
		buf_addf(w->out, "%s" FENCE "\n", w->indent);
	if (kind >= DOCUMENT_NAME && !w->indent[0])
		buf_char(w->out, '\n');
}

static void write_nodes(const struct markdown_writer *w, const struct document_node *parent)
{
	const struct document_node *n = document_shown(parent->first, w->form), *next;
	size_t begun = 0;
	bool begins = true;

	for (; n; n = next) {
		next = document_shown(n->next, w->form);
		if (begins) {
			begin_run(w, n->kind);
			begun = w->out->len;
		}
		write_if_short(w, n, document_number(parent, n));
		begins = !next || next->kind != n->kind;
		if (begins && w->out->len > begun)
			end_run(w, n->kind);
	}
}

void document_brief(const struct document_node *parent, enum document_form form, size_t most,
		    struct buf *out)
{
	write_nodes(&(struct markdown_writer){ out, form, "", "", most }, parent);
}

static void begin_page(const struct document_frame *f, struct buf *out)
{
	buf_text(out, "## ");
	markdown_plain(out, f->title);
	buf_text(out, "\n\n");
}

static void end_page(const struct document_frame *f, struct buf *out)
{
	buf_addf(out, "%s\n", f->footer);
}

static void write_page(const struct document *d, const struct document_frame *f, struct buf *out)
{
	write_nodes(&(struct markdown_writer){ out, DOCUMENT_PAGE, f ? "## " : "### ", "", 0 },
		    &d->root);
	if (f)
		end_page(f, out);
}

const struct document_pages document_markdown = { begin_page, write_page, end_page };
