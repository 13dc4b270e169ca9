#include "kb/adversary.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* What a pattern may step over; NULL is the pattern's own words. */
static const char *const fills[] = {
	NULL, "", " ", "a", "0", "a ", "0.", "/a", "a=0 ", "-a ", ": ", "\"", "(",
};

enum shape {
	DENSE,  /* literal, fill, literal, fill */
	HEAD,   /* the literal once, and fill */
	TAIL,   /* fill, and the literal at the end */
	NESTED, /* a longer beginning of the literal each time, and fill */
	SHAPES,
};

/* ---- the pattern's own words ---- */

static char class_member(char letter)
{
	switch (letter) {
	case 'd':
		return '0';
	case 's':
		return ' ';
	case 'b':
		return '\0';
	default:
		return islower((unsigned char)letter) || isupper((unsigned char)letter) ? 'a'
											: letter;
	}
}

/* Behind the bracket of [...]; its first member is taken. */
static const char *take_class(const char *p, struct buf *ret)
{
	if (*p == '^')
		buf_char(ret, 'a');
	else if (*p == '\\')
		buf_char(ret, class_member(p[1]) ? class_member(p[1]) : ' ');
	else
		buf_char(ret, *p);
	p += *p == '^';
	p += *p == ']';
	while (*p && *p != ']')
		p += *p == '\\' && p[1] ? 2 : 1;
	return p + (*p == ']');
}

/* Behind (? of a group: its kind or its name. */
static const char *skip_kind(const char *p)
{
	if (*p == '<' && p[1] != '=' && p[1] != '!')
		return p + strcspn(p, ">") + (strchr(p, '>') != NULL);
	p += *p == '<';
	return p + (*p != '\0');
}

static const char *take_item(const char *p, struct buf *ret)
{
	switch (*p) {
	case '\\':
		if (p[1] && class_member(p[1]))
			buf_char(ret, class_member(p[1]));
		return p + (p[1] ? 2 : 1);
	case '[':
		return take_class(p + 1, ret);
	case '(':
		return p[1] == '?' ? skip_kind(p + 2) : p + 1;
	case '{':
		return p + strcspn(p, "}") + (strchr(p, '}') != NULL);
	case '|':
		buf_char(ret, ' ');
		return p + 1;
	case '.':
		buf_char(ret, 'a');
		return p + 1;
	default:
		if (!strchr(")*+?^$", *p))
			buf_char(ret, *p);
		return p + 1;
	}
}

static void add_words(const struct adversary *a, struct buf *ret)
{
	const char *p = a->pattern ? a->pattern : "";

	while (*p)
		p = take_item(p, ret);
}

static size_t word_count(const struct adversary *a)
{
	struct buf words BUF_SCOPED = { 0 };
	struct span rest, word;
	size_t count = 0;

	add_words(a, &words);
	rest = buf_get(&words);
	while (span_word(&rest, &word))
		count++;
	return count;
}

static void add_word(const struct adversary *a, size_t which, struct buf *ret)
{
	struct buf words BUF_SCOPED = { 0 };
	struct span rest, word;

	add_words(a, &words);
	rest = buf_get(&words);
	while (span_word(&rest, &word))
		if (which-- == 0)
			buf_span(ret, word);
}

/* ---- the texts ---- */

/* The words of a pattern by themselves are one fill each; of the first literal only. */
size_t adversary_count(const struct adversary *a)
{
	return a->literal_count * SHAPES * COUNT(fills) + 2 * word_count(a);
}

struct recipe {
	struct span literal;
	enum shape shape;
	struct buf fill;
};

static void choose(const struct adversary *a, size_t which, struct recipe *ret)
{
	size_t of_literal = SHAPES * COUNT(fills), of_fills = a->literal_count * of_literal;

	if (which >= of_fills) {
		ret->literal = a->literals[0];
		ret->shape = (which - of_fills) % 2 ? HEAD : TAIL;
		add_word(a, (which - of_fills) / 2, &ret->fill);
		return;
	}
	ret->literal = a->literals[which / of_literal];
	ret->shape = (enum shape)(which % of_literal / COUNT(fills));
	if (fills[which % COUNT(fills)])
		buf_text(&ret->fill, fills[which % COUNT(fills)]);
	else
		add_words(a, &ret->fill);
}

static struct span head_of(const struct recipe *r, size_t nth)
{
	struct span literal = r->literal;

	if (r->shape == NESTED)
		literal.len = 1 + nth % literal.len;
	if ((r->shape == HEAD && nth > 0) || r->shape == TAIL)
		literal.len = 0;
	return literal;
}

/* PCRE2 does not even begin where a letter that it needs is missing: all of them, and no match. */
static void end_backwards(const struct adversary *a, struct buf *text)
{
	struct buf words BUF_SCOPED = { 0 };

	add_words(a, &words);
	for (size_t i = 0; i < words.len && i < text->len / 8; i++)
		text->data[text->len - 1 - i] = words.data[i];
}

void adversary_text(const struct adversary *a, size_t which, size_t size, struct buf *ret)
{
	struct recipe r = { 0 };

	assert(which < adversary_count(a));
	choose(a, which, &r);
	buf_clear(ret);
	for (size_t nth = 0; ret->len < size; nth++) {
		size_t before = ret->len;

		buf_span(ret, head_of(&r, nth));
		buf_span(ret, buf_get(&r.fill));
		if (ret->len == before) /* nothing to fill with */
			buf_char(ret, 'x');
	}
	ret->len = size;
	if (r.shape == TAIL && size >= r.literal.len) {
		ret->len -= r.literal.len;
		memcpy(ret->data + ret->len, r.literal.data, r.literal.len);
	}
	end_backwards(a, ret);
	ret->len = size;
	buf_done(&r.fill);
}
