#include "kb/adversary.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
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

/* A line that the pattern would match, with the first or the last of all choices, is cut so often. */
#define CUTS     8
#define COPIES   64 /* of {n} */
#define CUT_WAYS 3  /* behind the literal, before it, and with it each time */

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

/* ---- a line that it matches ---- */

static const char *derive(const char *p, bool last, struct buf *ret);

/* Behind a bracket: (?i), (?i:, (?<name>, (?>, (?:, and lookarounds, which match no text. */
static const char *derive_group(const char *p, bool last, struct buf *ret)
{
	bool looks = p[0] == '?' &&
		     (p[1] == '=' || p[1] == '!' || (p[1] == '<' && (p[2] == '=' || p[2] == '!')));
	size_t before = ret->len;

	if (*p == '?' && isalpha((unsigned char)p[1]))
		p += strcspn(p, ":)") + (p[strcspn(p, ":)")] == ':');
	else if (*p == '?')
		p = skip_kind(p + 1);
	p = derive(p, last, ret);
	if (looks)
		ret->len = before;
	return p + (*p == ')');
}

/* Once, or as often as {n} says. */
static const char *derive_count(const char *p, size_t before, struct buf *ret)
{
	size_t len = ret->len - before;
	unsigned long most = 1;

	if (*p == '{' && isdigit((unsigned char)p[1])) {
		most = strtoul(p + 1, NULL, 10);
		p += strcspn(p, "}") + (strchr(p, '}') != NULL);
	}
	for (unsigned long i = 1; i < most && i < COPIES && len > 0; i++) {
		buf_room(ret, len);
		buf_add(ret, ret->data + before, len);
	}
	return p + strspn(p, "*+?");
}

/* Up to the end of a group; of its alternatives the first or the last. */
static const char *derive(const char *p, bool last, struct buf *ret)
{
	size_t begin = ret->len, first_end = SIZE_MAX;

	while (*p && *p != ')') {
		size_t before = ret->len;

		if (*p == '|') {
			if (last)
				ret->len = begin;
			else if (first_end == SIZE_MAX)
				first_end = ret->len;
			p++;
			continue;
		}
		p = *p == '(' ? derive_group(p + 1, last, ret) : take_item(p, ret);
		p = derive_count(p, before, ret);
	}
	if (first_end != SIZE_MAX)
		ret->len = first_end;
	return p;
}

static void add_cut(const struct adversary *a, size_t which, struct buf *ret)
{
	size_t before = ret->len;

	derive(a->pattern ? a->pattern : "", which >= CUTS, ret);
	ret->len = before + (ret->len - before) * (which % CUTS + 1) / CUTS;
}

/* ---- the texts ---- */

static size_t cut_count(const struct adversary *a)
{
	if (!a->pattern || a->literal_count == 0)
		return 0;
	return CUT_WAYS * CUTS * (strchr(a->pattern, '|') ? 2 : 1);
}

/* The words of a pattern by themselves, and what it matches cut, are one fill each; of the first literal only. */
size_t adversary_count(const struct adversary *a)
{
	return a->literal_count * SHAPES * COUNT(fills) + 2 * word_count(a) + cut_count(a);
}

struct recipe {
	struct span literal;
	enum shape shape;
	struct buf fill;
};

static void choose(const struct adversary *a, size_t which, struct recipe *ret)
{
	static const enum shape ways[CUT_WAYS] = { HEAD, TAIL, DENSE };
	size_t of_literal = SHAPES * COUNT(fills), of_fills = a->literal_count * of_literal;
	size_t of_words = adversary_count(a) - cut_count(a);

	if (which >= of_words) {
		ret->literal = a->literals[0];
		ret->shape = ways[(which - of_words) % CUT_WAYS];
		add_cut(a, (which - of_words) / CUT_WAYS, &ret->fill);
		return;
	}
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
