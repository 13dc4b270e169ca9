#include "report/document.h"

#include <string.h>

/* Around code within a text. Clean text (base/text.h) holds no control character. */
#define CODE_BEGINS '\x0e'
#define CODE_ENDS   '\x0f'

struct document_node *document_add(struct document *d, struct document_node *parent,
				   enum document_kind kind, const char *text)
{
	struct document_node *n = arena_alloc(&d->arena, sizeof(*n));

	*n = (struct document_node){ .kind = kind, .forms = DOCUMENT_ALL, .text = text };
	if (parent->last)
		parent->last->next = n;
	else
		parent->first = n;
	parent->last = n;
	return n;
}

/* The format with its backticks as marks: those of what is filled in stay what they are. */
static const char *mark_code(const char *format, struct buf *ret)
{
	bool inside = false;

	for (; *format; format++) {
		bool tick = *format == '`';

		buf_char(ret, !tick ? *format : inside ? CODE_ENDS : CODE_BEGINS);
		inside ^= tick;
	}
	return ret->data;
}

struct document_node *document_addf(struct document *d, struct document_node *parent,
				    enum document_kind kind, const char *format, ...)
{
	struct buf marked BUF_SCOPED = { 0 }, text BUF_SCOPED = { 0 };
	va_list args;

	mark_code(format, &marked);
	va_start(args, format);
	buf_addv(&text, marked.data, args); /* NOLINT(clang-diagnostic-format-nonliteral) */
	va_end(args);
	return document_add(d, parent, kind, arena_text(&d->arena, buf_get(&text)));
}

void document_add_lines(struct document *d, struct document_node *parent, const char *lines)
{
	struct span rest = span_of(lines), line;

	while (span_line(&rest, &line)) {
		bool command = span_starts(line, "    ");

		if (span_trim(line).len > 0)
			document_add(d, parent, command ? DOCUMENT_COMMAND : DOCUMENT_TEXT,
				     arena_text(&d->arena, line) + (command ? 4 : 0));
	}
}

const struct document_node *document_shown(const struct document_node *at, unsigned int form)
{
	while (at && !(at->forms & form))
		at = at->next;
	return at;
}

size_t document_number(const struct document_node *parent, const struct document_node *n)
{
	size_t number = 1;

	for (const struct document_node *before = parent->first; before != n; before = before->next)
		number += before->kind == n->kind;
	return number;
}

bool document_has_words(const struct document_node *n, unsigned int form, struct span words)
{
	bool found = n->text && span_has_words(span_of(n->text), words);

	for (n = document_shown(n->first, form); n && !found; n = document_shown(n->next, form))
		found = document_has_words(n, form, words);
	return found;
}

void document_done(struct document *d)
{
	arena_done(&d->arena);
}

bool document_piece(const char **text, bool *is_code, struct span *ret)
{
	static const char marks[] = { CODE_BEGINS, CODE_ENDS, '\0' };
	size_t skip = strspn(*text, marks), len;

	*is_code = skip > 0 && (*text)[skip - 1] == CODE_BEGINS;
	*text += skip;
	len = strcspn(*text, marks);
	*ret = (struct span){ *text, len };
	*text += len;
	return len > 0;
}
