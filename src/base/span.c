#include "base/span.h"

#include <string.h>

struct span span_of(const char *text)
{
	return (struct span){ text, text ? strlen(text) : 0 };
}

bool span_is(struct span s, const char *text)
{
	return span_same(s, span_of(text));
}

bool span_same(struct span a, struct span b)
{
	return a.len == b.len && (a.len == 0 || memcmp(a.data, b.data, a.len) == 0);
}

bool span_starts(struct span s, const char *prefix)
{
	size_t n = strlen(prefix);

	return s.len >= n && (n == 0 || memcmp(s.data, prefix, n) == 0);
}

bool span_ends(struct span s, const char *suffix)
{
	size_t n = strlen(suffix);

	return s.len >= n && (n == 0 || memcmp(s.data + s.len - n, suffix, n) == 0);
}

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

struct span span_trim(struct span s)
{
	while (s.len > 0 && is_blank(s.data[0])) {
		s.data++;
		s.len--;
	}
	while (s.len > 0 && is_blank(s.data[s.len - 1]))
		s.len--;
	return s;
}

size_t span_find(struct span s, struct span literal)
{
	const char *hit;

	if (literal.len == 0)
		return 0;
	if (s.len < literal.len)
		return SIZE_MAX;
	hit = memmem(s.data, s.len, literal.data, literal.len);
	return hit ? (size_t)(hit - s.data) : SIZE_MAX;
}

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

bool span_inside_word(struct span s, size_t at)
{
	return at > 0 && at < s.len && is_word(s.data[at - 1]) && is_word(s.data[at]);
}

bool span_has_words(struct span s, struct span literal)
{
	size_t from = 0, found;

	while ((found = span_find((struct span){ s.data + from, s.len - from }, literal)) !=
	       SIZE_MAX) {
		size_t at = from + found;

		if (!span_inside_word(s, at) && !span_inside_word(s, at + literal.len))
			return true;
		if (at == s.len) /* of the empty literal */
			return false;
		from = at + 1;
	}
	return false;
}

bool span_cut(struct span *rest, char stop, struct span *ret_part)
{
	const char *end;
	size_t n;

	if (rest->len == 0)
		return false;
	end = memchr(rest->data, stop, rest->len);
	n = end ? (size_t)(end - rest->data) : rest->len;
	*ret_part = (struct span){ rest->data, n };
	rest->data += n + (end != NULL);
	rest->len -= n + (end != NULL);
	return true;
}

bool span_line(struct span *rest, struct span *ret_line)
{
	return span_cut(rest, '\n', ret_line);
}

bool span_word(struct span *rest, struct span *ret_word)
{
	size_t n = 0;

	while (rest->len > 0 && is_blank(rest->data[0])) {
		rest->data++;
		rest->len--;
	}
	while (n < rest->len && !is_blank(rest->data[n]))
		n++;
	if (n == 0)
		return false;
	*ret_word = (struct span){ rest->data, n };
	rest->data += n;
	rest->len -= n;
	return true;
}

bool span_lists_word(struct span words, struct span word)
{
	struct span one;

	while (span_word(&words, &one))
		if (span_same(one, word))
			return true;
	return false;
}

bool span_lists(struct span words, const char *word)
{
	return span_lists_word(words, span_of(word));
}

static int digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return 99;
}

static bool number(struct span s, unsigned int base, uint64_t *ret)
{
	uint64_t value = 0;

	if (s.len == 0)
		return false;
	for (size_t i = 0; i < s.len; i++) {
		unsigned int digit = (unsigned int)digit_of(s.data[i]);

		if (digit >= base || __builtin_mul_overflow(value, (uint64_t)base, &value) ||
		    __builtin_add_overflow(value, (uint64_t)digit, &value))
			return false;
	}
	*ret = value;
	return true;
}

bool span_u64(struct span s, uint64_t *ret)
{
	return number(s, 10, ret);
}

bool span_hex(struct span s, uint64_t *ret)
{
	if (span_starts(s, "0x") || span_starts(s, "0X")) {
		s.data += 2;
		s.len -= 2;
	}
	return number(s, 16, ret);
}

bool span_i64(struct span s, int64_t *ret)
{
	bool negative = span_starts(s, "-");
	uint64_t value;

	if (negative) {
		s.data++;
		s.len--;
	}
	if (!number(s, 10, &value) || value > INT64_MAX)
		return false;
	*ret = negative ? -(int64_t)value : (int64_t)value;
	return true;
}

bool span_fits(struct span text, struct span pattern)
{
	size_t p = 0, t = 0, star = SIZE_MAX, back = 0;

	while (t < text.len) {
		if (p < pattern.len && pattern.data[p] == '*') {
			star = p++;
			back = t;
		} else if (p < pattern.len && pattern.data[p] == text.data[t]) {
			p++;
			t++;
		} else if (star != SIZE_MAX) {
			p = star + 1;
			t = ++back;
		} else {
			return false;
		}
	}
	while (p < pattern.len && pattern.data[p] == '*')
		p++;
	return p == pattern.len;
}
