#include "parse/json-pull.h"

#include <errno.h>
#include <string.h>

#include "base/text.h"

struct json_pull json_pull_start(struct span text)
{
	return (struct json_pull){ .rest = text };
}

static void skip(struct json_pull *j, size_t n)
{
	j->rest.data += n;
	j->rest.len -= n;
}

static char peek(struct json_pull *j)
{
	while (j->rest.len > 0 && j->rest.data[0] && strchr(" \t\r\n", j->rest.data[0]))
		skip(j, 1);
	return j->rest.len > 0 ? j->rest.data[0] : '\0';
}

static bool take(struct json_pull *j, char c)
{
	if (peek(j) != c || j->rest.len == 0)
		return false;
	skip(j, 1);
	return true;
}

static bool take_quoted(struct json_pull *j, struct span *ret)
{
	size_t n = 1;

	if (peek(j) != '"')
		return false;
	while (n < j->rest.len && j->rest.data[n] != '"') {
		if ((unsigned char)j->rest.data[n] < 0x20)
			return false;
		n += j->rest.data[n] == '\\' ? 2 : 1;
	}
	if (n >= j->rest.len)
		return false;
	*ret = (struct span){ j->rest.data + 1, n - 1 };
	skip(j, n + 1);
	return true;
}

static bool is_object(const struct json_pull *j)
{
	return j->depth > 0 && j->objects >> (j->depth - 1) & 1;
}

static bool is_number_byte(char c)
{
	return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

/* Loose about the shape of a number: it is handed out as text. */
static bool take_bare(struct json_pull *j, struct json_pull_item *item)
{
	static const char *const words[] = { "true", "false", "null" };
	size_t n = 0;

	for (size_t i = 0; i < 3; i++)
		if (span_starts(j->rest, words[i])) {
			item->kind = JSON_PULL_WORD;
			n = strlen(words[i]);
		}
	if (n == 0) {
		item->kind = JSON_PULL_NUMBER;
		while (n < j->rest.len && is_number_byte(j->rest.data[n]))
			n++;
	}
	item->text = (struct span){ j->rest.data, n };
	skip(j, n);
	return n > 0;
}

static int open_one(struct json_pull *j, bool object, struct json_pull_item *item)
{
	if (j->depth == JSON_PULL_DEPTH_MAX)
		return -EBADMSG;
	item->kind = object ? JSON_PULL_OBJECT : JSON_PULL_ARRAY;
	item->depth = j->depth;
	j->objects &= ~((uint64_t)1 << j->depth);
	j->objects |= (uint64_t)object << j->depth;
	j->depth++;
	j->behind = false;
	return 1;
}

static int read_value(struct json_pull *j, struct json_pull_item *item)
{
	item->depth = j->depth;
	switch (peek(j)) {
	case '{':
		skip(j, 1);
		return open_one(j, true, item);
	case '[':
		skip(j, 1);
		return open_one(j, false, item);
	case '"':
		item->kind = JSON_PULL_TEXT;
		j->behind = true;
		return take_quoted(j, &item->text) ? 1 : -EBADMSG;
	default:
		j->behind = true;
		return take_bare(j, item) ? 1 : -EBADMSG;
	}
}

int json_pull_next(struct json_pull *j, struct json_pull_item *ret)
{
	struct json_pull_item item = { .key = { j->rest.data, 0 }, .text = { j->rest.data, 0 } };
	int r;

	if (j->began && j->depth == 0)
		return peek(j) == '\0' && j->rest.len == 0 ? 0 : -EBADMSG;
	j->began = true;
	if (j->depth > 0 && take(j, is_object(j) ? '}' : ']')) {
		j->depth--;
		j->behind = true;
		item.kind = JSON_PULL_CLOSE;
		item.depth = j->depth;
		*ret = item;
		return 1;
	}
	if (j->behind && !take(j, ','))
		return -EBADMSG;
	if (is_object(j) && (!take_quoted(j, &item.key) || !take(j, ':')))
		return -EBADMSG;
	r = read_value(j, &item);
	if (r == 1)
		*ret = item;
	return r;
}

/*
 * Counts the names of the way that the keys so far agree with; a member deeper
 * than that belongs to another branch.
 */
bool json_pull_find(struct span text, const char *way, struct json_pull_item *ret)
{
	struct json_pull j = json_pull_start(text);
	struct span rest = span_of(way);
	struct json_pull_item item;
	unsigned int agreed = 0;
	struct span name;

	if (!span_cut(&rest, '.', &name))
		return false;
	while (json_pull_next(&j, &item) == 1) {
		if (item.kind == JSON_PULL_CLOSE && item.depth == agreed && agreed > 0)
			return false; /* the branch is over, and it stood nowhere in it */
		if (item.depth != agreed + 1 || !span_same(item.key, name))
			continue;
		if (rest.len == 0) {
			*ret = item;
			return true;
		}
		if (item.kind != JSON_PULL_OBJECT)
			return false;
		agreed++;
		span_cut(&rest, '.', &name);
	}
	return false;
}

static bool take_hex(struct span s, size_t at, uint32_t *ret)
{
	uint64_t value;

	if (at + 4 > s.len || s.data[at + 1] == 'x' || s.data[at + 1] == 'X' ||
	    !span_hex((struct span){ s.data + at, 4 }, &value))
		return false;
	*ret = (uint32_t)value;
	return true;
}

/* \u, twice for what lies beyond 16 bits. Half of a pair is no character: U+FFFD. */
static bool put_unicode(struct span s, size_t *at, struct buf *out)
{
	uint32_t c, low;

	if (!take_hex(s, *at, &c))
		return false;
	*at += 4;
	if ((c & 0xfc00) == 0xd800 && *at + 6 <= s.len && s.data[*at] == '\\' &&
	    s.data[*at + 1] == 'u' && take_hex(s, *at + 2, &low) && (low & 0xfc00) == 0xdc00) {
		*at += 6;
		c = 0x10000 + ((c & 0x3ff) << 10) + (low & 0x3ff);
	}
	text_point(out, (c & 0xf800) == 0xd800 && c < 0x10000 ? 0xfffd : c);
	return true;
}

bool json_pull_text(struct span written, struct buf *ret)
{
	static const char signs[] = "\"\\/bfnrt";
	static const char bytes[] = "\"\\/\b\f\n\r\t";

	for (size_t i = 0; i < written.len;) {
		const char *sign;

		if (written.data[i] != '\\') {
			buf_char(ret, written.data[i++]);
			continue;
		}
		if (++i == written.len)
			return false;
		if (written.data[i] == 'u') {
			i++;
			if (!put_unicode(written, &i, ret))
				return false;
			continue;
		}
		sign = written.data[i] ? strchr(signs, written.data[i]) : NULL;
		if (!sign)
			return false;
		buf_char(ret, bytes[sign - signs]);
		i++;
	}
	return true;
}
