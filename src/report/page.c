#include "report/page.h"

#include <assert.h>
#include <string.h>

#include "base/text.h"

#define WIDTH_LEAST 40
#define WIDTH_USUAL 80
#define WIDTH_MOST  120

static const struct {
	const char *symbol;
	const char *plain;
	const char *colour;
} marks[] = {
	[PAGE_GOOD] = { "\xe2\x9c\x93 ", "ok", "\x1b[32m" },
	[PAGE_PROBLEM] = { "\xe2\x9c\x97 ", "!!", "\x1b[31m" },
	[PAGE_WARNING] = { "! ", "! ", "\x1b[33m" },
	[PAGE_UNDECIDED] = { "? ", "??", "\x1b[36m" },
	[PAGE_NOTE] = { "\xc2\xb7 ", "- ", "" },
};

#define DIM  "\x1b[2m"
#define BOLD "\x1b[1m"
#define OFF  "\x1b[0m"

size_t page_width(size_t terminal)
{
	if (terminal == 0)
		return WIDTH_USUAL;
	if (terminal < WIDTH_LEAST)
		return WIDTH_LEAST;
	return terminal > WIDTH_MOST ? WIDTH_MOST : terminal;
}

const char *page_dot(const struct page *p)
{
	return p->symbols ? "\xc2\xb7" : "-";
}

const char *page_times(const struct page *p)
{
	return p->symbols ? "\xc3\x97" : "x";
}

void page_plain(struct page *p)
{
	char *to = p->out->data;

	for (size_t i = 0; !p->symbols && i < p->out->len; i++) {
		struct span rest = { p->out->data + i, p->out->len - i };
		bool dot = span_starts(rest, "\xc2\xb7"), times = span_starts(rest, "\xc3\x97");

		*to++ = dot ? '-' : times ? 'x' : rest.data[0];
		i += dot || times;
	}
	if (!p->symbols && to) {
		p->out->len = (size_t)(to - p->out->data);
		*to = '\0';
	}
}

static void colour(struct page *p, const char *code)
{
	if (p->colour)
		buf_text(p->out, code);
}

static void blanks(struct page *p, size_t count)
{
	while (count-- > 0)
		buf_char(p->out, ' ');
}

void page_mark(struct page *p, enum page_mark mark)
{
	assert(mark <= PAGE_NOTE);
	colour(p, marks[mark].colour);
	buf_text(p->out, p->symbols ? marks[mark].symbol : marks[mark].plain);
	colour(p, marks[mark].colour[0] ? OFF : "");
	buf_char(p->out, ' ');
}

/* One line of at most `room` columns, its end trimmed; *text moves on. A word is never cut. */
static struct span cut_line(const char **text, size_t room)
{
	const char *start = *text + strspn(*text, " \n\t");
	const char *end = start;
	const char *at = start;

	while (*at) {
		const char *word_end = at + strcspn(at, " \n\t");

		if (end > start &&
		    text_width((struct span){ start, (size_t)(word_end - start) }) > room)
			break;
		end = word_end;
		at = word_end + strspn(word_end, " \n\t");
	}
	*text = end + strspn(end, " \n\t");
	return (struct span){ start, (size_t)(end - start) };
}

/* Words with one blank between: a line break in the knowledge is none here. The columns. */
static size_t put(struct page *p, struct span line)
{
	struct span word;
	size_t columns = 0;

	while (span_word(&line, &word)) {
		buf_text(p->out, columns > 0 ? " " : "");
		buf_span(p->out, word);
		columns += (columns > 0) + text_width(word);
	}
	return columns;
}

static size_t room_of(const struct page *p, size_t at, size_t kept)
{
	return p->width > at + kept + 20 ? p->width - at - kept : 20;
}

void page_wrap(struct page *p, size_t at, size_t indent, const char *text)
{
	do {
		put(p, cut_line(&text, room_of(p, at, 0)));
		buf_char(p->out, '\n');
		if (*text)
			blanks(p, indent);
		at = indent;
	} while (*text);
}

void page_line(struct page *p, size_t indent, const char *text)
{
	buf_addf(p->out, "%*s", (int)indent, "");
	page_wrap(p, indent, indent, text);
}

void page_dim(struct page *p, size_t indent, const char *text)
{
	blanks(p, indent);
	colour(p, DIM);
	buf_text(p->out, text);
	colour(p, OFF);
	buf_char(p->out, '\n');
}

static void dim_right(struct page *p, size_t used, const char *right)
{
	size_t width = text_width(span_of(right));

	blanks(p, p->width > used + width ? p->width - used - width : 2);
	colour(p, DIM);
	buf_text(p->out, right);
	colour(p, OFF);
	buf_char(p->out, '\n');
}

void page_heading(struct page *p, enum page_mark mark, const char *left, const char *right)
{
	size_t need = 3 + text_width(span_of(left)) + 2 + text_width(span_of(right));
	bool on_one = need <= p->width;

	page_mark(p, mark);
	colour(p, BOLD);
	if (on_one) {
		buf_text(p->out, left);
		colour(p, OFF);
		dim_right(p, need - 2 - text_width(span_of(right)), right);
		return;
	}
	page_wrap(p, 3, 3, left);
	p->out->len--; /* colour ends before the line does */
	colour(p, OFF);
	buf_char(p->out, '\n');
	dim_right(p, 0, right);
}

void page_pair(struct page *p, size_t indent, const char *left, const char *right)
{
	size_t kept = text_width(span_of(right)) + 2;
	size_t used;

	blanks(p, indent);
	used = put(p, cut_line(&left, room_of(p, indent, kept)));
	dim_right(p, indent + used, right);
	while (*left) {
		blanks(p, indent + 2);
		put(p, cut_line(&left, room_of(p, indent + 2, kept)));
		buf_char(p->out, '\n');
	}
}

void page_row(struct page *p, size_t indent, size_t column, const char *name, const char *text,
	      const char *right)
{
	size_t kept = right[0] ? text_width(span_of(right)) + 2 : 0;
	size_t used = indent + text_width(span_of(name));

	blanks(p, indent);
	colour(p, DIM);
	buf_text(p->out, name);
	colour(p, OFF);
	blanks(p, column > used ? column - used : 1);
	used = put(p, cut_line(&text, room_of(p, column, kept)));
	if (right[0])
		dim_right(p, column + used, right);
	else
		buf_char(p->out, '\n');
	while (*text) {
		blanks(p, column);
		put(p, cut_line(&text, room_of(p, column, kept)));
		buf_char(p->out, '\n');
	}
}
