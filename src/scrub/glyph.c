#include "scrub/glyph.h"

#include <ctype.h>
#include <string.h>

#include "base/array.h"

#define LONGEST 12 /* \xe2\x80\x8b */

static const struct {
	const char *name;
	char is;
} entities[] = {
	{ "&quot;", '"' },  { "&apos;", '\'' }, { "&nbsp;", ' ' }, { "&equals;", '=' },
	{ "&colon;", ':' }, { "&amp;", '&' },   { "&lt;", '<' },   { "&gt;", '>' },
};

static const struct {
	uint32_t first, last;
	char is;
} lookalikes[] = {
	{ 0x00a0, 0x00a0, ' ' },  { 0x00ad, 0x00ad, GLYPH_NOTHING },
	{ 0x2000, 0x200a, ' ' },  { 0x200b, 0x200d, GLYPH_NOTHING },
	{ 0x2018, 0x201b, '\'' }, { 0x201c, 0x201f, '"' },
	{ 0x202f, 0x202f, ' ' },  { 0x2060, 0x2060, GLYPH_NOTHING },
	{ 0x3000, 0x3000, ' ' },  { 0xfeff, 0xfeff, GLYPH_NOTHING },
};

static char of_code(uint32_t code)
{
	if (code < 0x80)
		return code == 0 ? GLYPH_OTHER : (char)code;
	if (code >= 0xff01 && code <= 0xff5e)
		return (char)(code - 0xff01 + '!'); /* the wide forms of East Asia */
	for (size_t i = 0; i < COUNT(lookalikes); i++)
		if (code >= lookalikes[i].first && code <= lookalikes[i].last)
			return lookalikes[i].is;
	return GLYPH_OTHER;
}

static int value_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return isxdigit((unsigned char)c) ? (c | 32) - 'a' + 10 : 16;
}

/* Digits of a base: how many there are, at most `most`. */
static size_t digits_at(struct span text, size_t at, int base, size_t most, uint32_t *ret)
{
	size_t n = 0;

	for (*ret = 0; n < most && at + n < text.len && value_of(text.data[at + n]) < base; n++)
		*ret = *ret * (uint32_t)base + (uint32_t)value_of(text.data[at + n]);
	return n;
}

static bool byte_at(struct span text, size_t at, uint32_t *ret)
{
	return at + 4 <= text.len && text.data[at] == '\\' && text.data[at + 1] == 'x' &&
	       digits_at(text, at + 2, 16, 2, ret) == 2;
}

/* \xe2\x80\x8b: the bytes of one character, each escaped. */
static size_t bytes_at(struct span text, size_t at, uint32_t first, char *ret)
{
	size_t n = first >= 0xe0 && first < 0xf0 ? 3 : 2;
	uint32_t code = first & (n == 3 ? 0x0fu : 0x1fu), next;

	for (size_t i = 1; i < n; i++) {
		if (!byte_at(text, at + 4 * i, &next) || (next & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (next & 0x3f);
	}
	*ret = of_code(code);
	return 4 * n;
}

/* \" of JSON in JSON, \x22, \x5c" of a word, \u0022, \042 of mountinfo. */
static size_t escape_at(struct span text, size_t at, char *ret)
{
	char kind = at + 1 < text.len ? text.data[at + 1] : '\0';
	uint32_t code;

	if (kind == '"' || kind == '\'') {
		*ret = kind;
		return 2;
	}
	if (byte_at(text, at, &code)) {
		char next = at + 4 < text.len ? text.data[at + 4] : '\0';
		bool quoted = code == '\\' && (next == '"' || next == '\'');
		size_t whole = code >= 0xc2 ? bytes_at(text, at, code, ret) : 0;

		if (whole > 0)
			return whole;
		if (code == '\\' && next == 'u' && digits_at(text, at + 5, 16, 4, &code) == 4) {
			*ret = of_code(code);
			return 9; /* \u0022 in a word */
		}
		*ret = quoted ? next : of_code(code);
		return quoted ? 5 : 4;
	}
	if (kind == 'u' && digits_at(text, at + 2, 16, 4, &code) == 4) {
		*ret = of_code(code);
		return 6;
	}
	if (digits_at(text, at + 1, 8, 3, &code) == 3 && code < 0x80) {
		*ret = of_code(code);
		return 4;
	}
	return 0;
}

/* &#34; &#x22; and by name */
static size_t entity_at(struct span text, size_t at, char *ret)
{
	bool hex = at + 2 < text.len && (text.data[at + 2] | 32) == 'x';
	size_t from = at + 2 + hex, n;
	uint32_t code;

	for (size_t i = 0; i < COUNT(entities); i++) {
		n = strlen(entities[i].name);
		if (text.len - at >= n && memcmp(text.data + at, entities[i].name, n) == 0) {
			*ret = entities[i].is;
			return n;
		}
	}
	if (at + 1 >= text.len || text.data[at + 1] != '#')
		return 0;
	n = digits_at(text, from, hex ? 16 : 10, 4, &code);
	if (n == 0 || from + n >= text.len || text.data[from + n] != ';')
		return 0;
	*ret = of_code(code);
	return from + n + 1 - at;
}

/* Two and three bytes of UTF-8; what is none is one byte of something else. */
static size_t unicode_at(struct span text, size_t at, char *ret)
{
	unsigned char first = (unsigned char)text.data[at];
	size_t n = first >= 0xe0 && first < 0xf0 ? 3 : first >= 0xc2 && first < 0xe0 ? 2 : 1;
	uint32_t code = n == 3 ? first & 0x0fu : first & 0x1fu;

	*ret = GLYPH_OTHER;
	if (n == 1 || text.len - at < n)
		return 1;
	for (size_t i = 1; i < n; i++) {
		unsigned char next = (unsigned char)text.data[at + i];

		if ((next & 0xc0) != 0x80)
			return 1;
		code = code << 6 | (next & 0x3fu);
	}
	*ret = of_code(code);
	return n;
}

size_t glyph_at(struct span text, size_t at, char *ret)
{
	size_t n = 0;

	if (at >= text.len) {
		*ret = GLYPH_OTHER;
		return 0;
	}
	if (text.data[at] == '\\')
		n = escape_at(text, at, ret);
	else if (text.data[at] == '&')
		n = entity_at(text, at, ret);
	else if ((unsigned char)text.data[at] >= 0x80)
		n = unicode_at(text, at, ret);
	if (n > 0)
		return n;
	*ret = text.data[at] ? text.data[at] : GLYPH_OTHER;
	return 1;
}

size_t glyph_before(struct span text, size_t end, char *ret)
{
	for (size_t n = end < LONGEST ? end : LONGEST; n > 1; n--) {
		unsigned char first = (unsigned char)text.data[end - n];

		if ((first == '\\' || first == '&' || first >= 0xc2) &&
		    glyph_at(text, end - n, ret) == n)
			return n;
	}
	return end > 0 ? glyph_at((struct span){ text.data, end }, end - 1, ret) : 0;
}

size_t glyph_fold(struct span text, char *ret, size_t room)
{
	size_t n = 0;
	char c;

	for (size_t at = 0; at < text.len && n < room;) {
		at += glyph_at(text, at, &c);
		if (c != GLYPH_NOTHING)
			ret[n++] = c == GLYPH_OTHER ? '_' : c;
	}
	return n;
}

size_t glyph_around(struct span text, size_t at)
{
	uint32_t byte;

	for (size_t n = 0; n < 3 && at >= 4 * n && byte_at(text, at - 4 * n, &byte); n++)
		if (byte >= 0xc0)
			return at - 4 * n;
	return at;
}
