#include "parse/version-py.h"

#include <string.h>

static bool is_name_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

static void skip(struct span *s, size_t n)
{
	s->data += n;
	s->len -= n;
}

static void skip_blanks(struct span *s)
{
	while (s->len > 0 && (s->data[0] == ' ' || s->data[0] == '\t'))
		skip(s, 1);
}

static bool take_name(struct span *s, struct span *ret)
{
	size_t n = 0;

	while (n < s->len && is_name_byte(s->data[n]))
		n++;
	if (n == 0 || (s->data[0] >= '0' && s->data[0] <= '9'))
		return false;
	*ret = (struct span){ s->data, n };
	skip(s, n);
	skip_blanks(s);
	return true;
}

/* One "=", not the "==" of a comparison. */
static bool take_equals(struct span *s)
{
	if (s->len == 0 || s->data[0] != '=' || (s->len > 1 && s->data[1] == '='))
		return false;
	skip(s, 1);
	skip_blanks(s);
	return true;
}

/* A string without escapes: versions have none, and one that has is not ours to read. */
static bool take_string(struct span *s, struct span *ret)
{
	char quote = s->len > 0 ? s->data[0] : 0;
	size_t n = 1;

	if (quote != '\'' && quote != '"')
		return false;
	while (n < s->len && s->data[n] != quote && s->data[n] != '\\' && s->data[n] != '\n')
		n++;
	if (n >= s->len || s->data[n] != quote)
		return false;
	*ret = (struct span){ s->data + 1, n - 1 };
	skip(s, n + 1);
	return true;
}

/* "2.4.1", or None, True, 12, 12.1 */
static bool take_literal(struct span *s, struct span *ret, bool *ret_quoted)
{
	size_t n = 0;

	*ret_quoted = take_string(s, ret);
	if (*ret_quoted)
		return true;
	while (n < s->len && (is_name_byte(s->data[n]) || s->data[n] == '.'))
		n++;
	if (n == 0)
		return false;
	*ret = (struct span){ s->data, n };
	skip(s, n);
	return true;
}

/* Nothing but a comment may follow: `cuda = None if x else y` is no literal. */
static bool ends_here(struct span s)
{
	skip_blanks(&s);
	return s.len == 0 || s.data[0] == '#' || s.data[0] == '\r' || s.data[0] == ';';
}

static bool parse_line(struct span line, struct version_py *ret)
{
	struct version_py v = { .other = { line.data, 0 } };
	struct span ahead;

	if (!take_name(&line, &v.name))
		return false;
	if (line.len > 0 && line.data[0] == ':') /* name: Optional[str] = */
		while (line.len > 0 && line.data[0] != '=')
			skip(&line, 1);
	if (!take_equals(&line))
		return false;
	ahead = line;
	if (take_name(&ahead, &v.other) && take_equals(&ahead))
		line = ahead;
	else
		v.other.len = 0;
	if (!take_literal(&line, &v.value, &v.quoted) || !ends_here(line))
		return false;
	*ret = v;
	return true;
}

bool version_py_next(struct span *rest, struct version_py *ret)
{
	struct span line;

	while (span_line(rest, &line))
		if (parse_line(line, ret))
			return true;
	return false;
}

bool version_py_find(struct span text, const char *name, struct version_py *ret)
{
	struct version_py one;
	bool found = false;

	while (version_py_next(&text, &one))
		if (span_is(one.name, name) || span_is(one.other, name)) {
			*ret = one;
			found = true;
		}
	return found;
}

bool version_py_pair(struct span text, const char *key, struct span *ret_value)
{
	struct span word, value;
	bool quoted;

	while (text.len > 0) {
		if (!take_string(&text, &word)) {
			skip(&text, 1);
			continue;
		}
		skip_blanks(&text);
		if (!span_is(word, key) || text.len == 0 || !strchr(":,", text.data[0]) ||
		    text.data[0] == '\0')
			continue;
		skip(&text, 1);
		skip_blanks(&text);
		if (take_literal(&text, &value, &quoted)) {
			*ret_value = value;
			return true;
		}
	}
	return false;
}
