#pragma once

/*
 * document - an answer as a small tree, before it has a form
 *
 * A subject (an explanation, a finding) builds the tree once; each form is one
 * writer that walks it. A node says what its words are, never how they look:
 * wrapping, escaping and tags are the writer's. Neighbours of one kind are one
 * run: steps are numbered together, signs are one table, commands one block.
 */

#include "base/arena.h"
#include "report/page.h"

enum document_kind {
	DOCUMENT_ANSWER,  /* a headline; its name, word and place: "gpu-stuck, likely, train.log" */
	DOCUMENT_SECTION, /* a title, or none, above what belongs together */
	DOCUMENT_TEXT,    /* a paragraph; its word, if any, stands before it */
	DOCUMENT_NOTE,    /* a remark in small print */
	DOCUMENT_LINK,    /* a title, and its place: an address */
	DOCUMENT_QUOTE,   /* a line of a log; its word stands before it */
	DOCUMENT_NAME,    /* a title with a name */
	DOCUMENT_SIGN,    /* what was seen; its place: where; its word: how often */
	DOCUMENT_STEP,    /* its name: the cause it is for */
	DOCUMENT_COMMAND, /* a line to paste */
};

/* Which forms show a node; all, unless it is said. */
enum document_form {
	DOCUMENT_SHORT = 1,   /* the text */
	DOCUMENT_LONG = 2,    /* the text with --verbose */
	DOCUMENT_PAGE = 4,    /* Markdown and HTML */
	DOCUMENT_COMMENT = 8, /* Markdown that is posted below a report, */
	DOCUMENT_FOLDED = 16, /* what is folded there, */
	DOCUMENT_AT_END = 32, /* and what stands last in that, if there is room */
	DOCUMENT_TEXTS = DOCUMENT_SHORT | DOCUMENT_LONG,
	DOCUMENT_WHOLE = DOCUMENT_TEXTS | DOCUMENT_PAGE,
	DOCUMENT_ALL = 63,
};

struct document_node {
	enum document_kind kind;
	unsigned int forms; /* enum document_form */
	enum page_mark mark;
	const char *text, *name, *word, *place; /* NULL: none */
	bool is_close, is_folded; /* a section: no blank line before it; folded on a page */
	struct document_node *first, *last, *next;
};

struct document {
	struct arena arena;
	struct document_node root;
};

/* The last child of `parent`. The text is not copied. */
struct document_node *document_add(struct document *d, struct document_node *parent,
				   enum document_kind kind, const char *text);

/* The same with a text of its own. What the format has in backticks is code, in any form. */
struct document_node *document_addf(struct document *d, struct document_node *parent,
				    enum document_kind kind, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* Lines as the steps of a remedy have them: those that begin with four blanks are commands. */
void document_add_lines(struct document *d, struct document_node *parent, const char *lines);

/* From `at` on, itself included, the first that this form shows; NULL: none. */
const struct document_node *document_shown(const struct document_node *at, unsigned int form);

/* Among the children of its kind, shown or not, from 1. */
size_t document_number(const struct document_node *parent, const struct document_node *n);

/* Whether a text of the tree below has these words in this form. */
bool document_has_words(const struct document_node *n, unsigned int form, struct span words);

void document_done(struct document *d);

/* ---- the writers ---- */

/* The next piece of a text, and whether it is code; false at the end. */
bool document_piece(const char **text, bool *is_code, struct span *ret);

struct document_style {
	size_t indent; /* of a section's title */
	bool beside;   /* a sign stands beside its place, if there is room; else above it */
};

void document_text(const struct document *d, unsigned int form, const struct document_style *style,
		   struct page *p);

/*
 * What belongs to one form in few lines: commands closer together, signs as a list, and what
 * would make `out` longer than `most` lines left out; of a step its title stays in a comment.
 */
void document_brief(const struct document_node *parent, enum document_form form, size_t most,
		    struct buf *out);

/* Around answers that are handed on. */
struct document_frame {
	const char *over, *title, *section; /* the command; of all; above the answers */
	const char *footer;
};

struct document_pages {
	void (*begin)(const struct document_frame *f, struct buf *out); /* of several answers */
	/* One answer; without a frame it is one of several. */
	void (*write)(const struct document *d, const struct document_frame *f, struct buf *out);
	void (*end)(const struct document_frame *f, struct buf *out);
};

extern const struct document_pages document_markdown, document_html;
