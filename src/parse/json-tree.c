#include "parse/json-tree.h"

#include <errno.h>
#include <string.h>

struct reader {
	struct span text;
	size_t at;
	struct arena *arena;
	size_t nodes;
};

static bool read_value(struct reader *r, unsigned int depth, struct json_node *ret);

static void skip_blanks(struct reader *r)
{
	while (r->at < r->text.len && strchr(" \t\r\n", r->text.data[r->at]) &&
	       r->text.data[r->at] != '\0')
		r->at++;
}

static bool take(struct reader *r, char c)
{
	if (r->at >= r->text.len || r->text.data[r->at] != c)
		return false;
	r->at++;
	return true;
}

static bool take_word(struct reader *r, const char *word)
{
	size_t n = strlen(word);

	if (r->text.len - r->at < n || memcmp(r->text.data + r->at, word, n) != 0)
		return false;
	r->at += n;
	return true;
}

/* ---- texts ---- */

static bool read_hex4(struct reader *r, uint32_t *ret)
{
	uint64_t value;

	if (r->text.len - r->at < 4 || !span_hex((struct span){ r->text.data + r->at, 4 }, &value))
		return false;
	if (memchr(r->text.data + r->at, 'x', 4) || memchr(r->text.data + r->at, 'X', 4))
		return false;
	r->at += 4;
	*ret = (uint32_t)value;
	return true;
}

static size_t put_utf8(char *to, uint32_t c)
{
	if (c < 0x80) {
		to[0] = (char)c;
		return 1;
	}
	if (c < 0x800) {
		to[0] = (char)(0xc0 | c >> 6);
		to[1] = (char)(0x80 | (c & 0x3f));
		return 2;
	}
	if (c < 0x10000) {
		to[0] = (char)(0xe0 | c >> 12);
		to[1] = (char)(0x80 | (c >> 6 & 0x3f));
		to[2] = (char)(0x80 | (c & 0x3f));
		return 3;
	}
	to[0] = (char)(0xf0 | c >> 18);
	to[1] = (char)(0x80 | (c >> 12 & 0x3f));
	to[2] = (char)(0x80 | (c >> 6 & 0x3f));
	to[3] = (char)(0x80 | (c & 0x3f));
	return 4;
}

/* Half a pair is no character: U+FFFD, as readers of logs do it. */
static bool read_unicode(struct reader *r, uint32_t *ret)
{
	uint32_t low;
	size_t back;

	if (!read_hex4(r, ret))
		return false;
	if (*ret < 0xd800 || *ret > 0xdfff)
		return true;
	back = r->at;
	if (*ret < 0xdc00 && take_word(r, "\\u") && read_hex4(r, &low) && low >= 0xdc00 &&
	    low <= 0xdfff) {
		*ret = 0x10000 + ((*ret - 0xd800) << 10) + (low - 0xdc00);
		return true;
	}
	r->at = back;
	*ret = 0xfffd;
	return true;
}

static bool read_escape(struct reader *r, char *to, size_t *n)
{
	static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
	const char *found;
	uint32_t c;

	if (r->at >= r->text.len)
		return false;
	if (take(r, 'u')) {
		if (!read_unicode(r, &c))
			return false;
		*n += put_utf8(to + *n, c);
		return true;
	}
	found = r->text.data[r->at] ? strchr(letters, r->text.data[r->at]) : NULL;
	if (!found)
		return false;
	r->at++;
	to[(*n)++] = meant[found - letters];
	return true;
}

/* An unescaped text is never longer than the escaped one. */
static bool read_text(struct reader *r, struct span *ret)
{
	size_t end = r->at, n = 0;
	char *to;

	while (end < r->text.len && r->text.data[end] != '"')
		end += r->text.data[end] == '\\' ? 2 : 1;
	if (end >= r->text.len)
		return false;
	to = arena_alloc(r->arena, end - r->at + 1);
	while (r->at < end) {
		char c = r->text.data[r->at++];

		if ((unsigned char)c < 0x20)
			return false;
		if (c != '\\')
			to[n++] = c;
		else if (!read_escape(r, to, &n))
			return false;
	}
	*ret = (struct span){ to, n };
	return r->at == end && take(r, '"');
}

/* ---- numbers ---- */

static size_t digits(struct reader *r)
{
	size_t from = r->at;

	while (r->at < r->text.len && r->text.data[r->at] >= '0' && r->text.data[r->at] <= '9')
		r->at++;
	return r->at - from;
}

static bool read_number(struct reader *r, struct span *ret)
{
	size_t from = r->at;
	bool zero;

	take(r, '-');
	zero = r->at < r->text.len && r->text.data[r->at] == '0';
	if (zero)
		r->at++;
	else if (digits(r) == 0)
		return false;
	if (take(r, '.') && digits(r) == 0)
		return false;
	if (take(r, 'e') || take(r, 'E')) {
		if (!take(r, '+'))
			take(r, '-');
		if (digits(r) == 0)
			return false;
	}
	*ret = (struct span){ r->text.data + from, r->at - from };
	return true;
}

/* ---- lists and maps ---- */

static bool read_key(struct reader *r, struct span *ret)
{
	skip_blanks(r);
	if (!take(r, '"') || !read_text(r, ret))
		return false;
	skip_blanks(r);
	return take(r, ':');
}

static bool read_members(struct reader *r, unsigned int depth, char end, struct json_node *ret)
{
	struct json_node **last = &ret->children;

	skip_blanks(r);
	if (take(r, end))
		return true;
	do {
		struct json_node *child;

		if (++r->nodes > JSON_NODES_MAX)
			return false;
		child = arena_alloc(r->arena, sizeof(*child));
		if (ret->kind == JSON_MAP && !read_key(r, &child->key))
			return false;
		if (!read_value(r, depth, child))
			return false;
		*last = child;
		last = &child->next;
		ret->count++;
		skip_blanks(r);
	} while (take(r, ','));
	return take(r, end);
}

static bool read_value(struct reader *r, unsigned int depth, struct json_node *ret)
{
	static const struct {
		const char *word;
		enum json_kind kind;
	} words[] = { { "null", JSON_NULL }, { "false", JSON_FALSE }, { "true", JSON_TRUE } };

	skip_blanks(r);
	if (depth >= JSON_DEPTH_MAX)
		return false;
	for (size_t i = 0; i < 3; i++)
		if (take_word(r, words[i].word)) {
			ret->kind = words[i].kind;
			return true;
		}
	if (take(r, '"')) {
		ret->kind = JSON_TEXT;
		return read_text(r, &ret->text);
	}
	if (take(r, '[')) {
		ret->kind = JSON_LIST;
		return read_members(r, depth + 1, ']', ret);
	}
	if (take(r, '{')) {
		ret->kind = JSON_MAP;
		return read_members(r, depth + 1, '}', ret);
	}
	ret->kind = JSON_NUMBER;
	return read_number(r, &ret->text);
}

int json_tree_parse(struct span text, struct arena *arena, struct json_node **ret, size_t *ret_at)
{
	struct reader r = { .text = text, .arena = arena };
	struct json_node *top = arena_alloc(arena, sizeof(*top));
	bool good = read_value(&r, 0, top);

	skip_blanks(&r);
	if (ret_at)
		*ret_at = r.at < text.len ? r.at : text.len;
	if (!good || r.at != text.len)
		return -EBADMSG;
	*ret = top;
	return 0;
}

const struct json_node *json_tree_find(const struct json_node *map, const char *key)
{
	if (!map || map->kind != JSON_MAP)
		return NULL;
	for (const struct json_node *n = map->children; n; n = n->next)
		if (span_is(n->key, key))
			return n;
	return NULL;
}

struct span json_tree_text(const struct json_node *map, const char *key)
{
	const struct json_node *n = json_tree_find(map, key);

	return n && n->kind == JSON_TEXT ? n->text : (struct span){ NULL, 0 };
}
