#include "parse/requirement.h"

#include <string.h>

#define MARKER_DEPTH_MAX 16 /* parentheses in each other */

/* ---- the requirement ---- */

static void skip(struct span *s, size_t n)
{
	s->data += n;
	s->len -= n;
}

static bool is_name_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '-' || c == '_' || c == '.';
}

static struct span part(const char *from, size_t n)
{
	return (struct span){ from, n };
}

/* "[a,b]" at the front. False if it does not end. */
static bool take_extras(struct span *s, struct span *ret)
{
	const char *end;

	*ret = part(s->data, 0);
	if (s->len == 0 || s->data[0] != '[')
		return true;
	end = memchr(s->data, ']', s->len);
	if (!end)
		return false;
	*ret = span_trim(part(s->data + 1, (size_t)(end - s->data) - 1));
	skip(s, (size_t)(end - s->data) + 1);
	*s = span_trim(*s);
	return true;
}

bool requirement_parse(struct span text, struct requirement *ret)
{
	struct requirement r = { 0 };
	struct span rest = span_trim(text);
	const char *semicolon;
	size_t n = 0;

	while (n < rest.len && is_name_byte(rest.data[n]))
		n++;
	if (n == 0)
		return false;
	r.name = part(rest.data, n);
	skip(&rest, n);
	rest = span_trim(rest);
	if (!take_extras(&rest, &r.extras))
		return false;
	r.url = r.demands = part(rest.data, 0);
	if (rest.len > 0 && rest.data[0] == '@') {
		skip(&rest, 1);
		rest = span_trim(rest);
		for (n = 0; n < rest.len && rest.data[n] != ' ' && rest.data[n] != '\t';)
			n++; /* it ends at " ;": a semicolon alone may be part of it */
		r.url = part(rest.data, n);
		skip(&rest, n);
	}
	semicolon = memchr(rest.data, ';', rest.len);
	n = semicolon ? (size_t)(semicolon - rest.data) : rest.len;
	if (r.url.len == 0)
		r.demands = span_trim(part(rest.data, n));
	if (r.demands.len >= 2 && r.demands.data[0] == '(' &&
	    r.demands.data[r.demands.len - 1] == ')')
		r.demands = span_trim(part(r.demands.data + 1, r.demands.len - 2));
	skip(&rest, semicolon ? n + 1 : n);
	r.marker = span_trim(rest);
	if (r.demands.len > 0 && !strchr("=<>!~", r.demands.data[0]))
		return false;
	*ret = r;
	return true;
}

/* ---- its condition ---- */

enum token_kind { END, WORD, TEXT, OPERATOR, OPEN, CLOSE, BROKEN };

struct marker_token {
	enum token_kind kind;
	struct span text;
};

static struct marker_token next_token(struct span *rest)
{
	struct marker_token t = { END, { rest->data, 0 } };
	char first;
	size_t n = 0;

	*rest = span_trim(*rest);
	if (rest->len == 0)
		return t;
	first = rest->data[0];
	if (first == '(' || first == ')') {
		t = (struct marker_token){ first == '(' ? OPEN : CLOSE, part(rest->data, 1) };
		n = 1;
	} else if (first == '\'' || first == '"') {
		const char *end = memchr(rest->data + 1, first, rest->len - 1);

		if (!end)
			return (struct marker_token){ BROKEN, t.text };
		n = (size_t)(end - rest->data) + 1;
		t = (struct marker_token){ TEXT, part(rest->data + 1, n - 2) };
	} else if (strchr("=<>!~", first) && first) {
		while (n < rest->len && rest->data[n] && strchr("=<>!~", rest->data[n]))
			n++;
		t = (struct marker_token){ OPERATOR, part(rest->data, n) };
	} else {
		while (n < rest->len && is_name_byte(rest->data[n]))
			n++;
		t = (struct marker_token){ n ? WORD : BROKEN, part(rest->data, n) };
	}
	skip(rest, n);
	return t;
}

static struct marker_token peek_token(struct span rest)
{
	return next_token(&rest);
}

/* Empty: not known. `extra` is known to be nothing. */
static bool variable(struct span name, const struct requirement_host *host, struct span *ret)
{
	static const struct {
		const char *name;
		const char *value;
	} fixed[] = {
		{ "sys_platform", "linux" },
		{ "platform_system", "Linux" },
		{ "os_name", "posix" },
		{ "platform_python_implementation", "CPython" },
		{ "implementation_name", "cpython" },
	};

	for (size_t i = 0; i < sizeof(fixed) / sizeof(fixed[0]); i++)
		if (span_is(name, fixed[i].name)) {
			*ret = span_of(fixed[i].value);
			return true;
		}
	if (span_is(name, "python_version") || span_is(name, "python_full_version"))
		*ret = host->python;
	else if (span_is(name, "platform_machine"))
		*ret = host->machine;
	else
		return false;
	return ret->len > 0;
}

static enum pep440_meets decide(bool met)
{
	return met ? PEP440_YES : PEP440_NO;
}

/* python_version "3.11" against "3.8.1": only the first two numbers are known. */
static enum pep440_meets compare_versions(struct span left, struct span sign, struct span right)
{
	char demand[64];

	if (sign.len + right.len >= sizeof(demand))
		return PEP440_UNKNOWN;
	memcpy(demand, sign.data, sign.len);
	memcpy(demand + sign.len, right.data, right.len);
	return pep440_meets(left, part(demand, sign.len + right.len));
}

static enum pep440_meets compare(struct marker_token left, struct marker_token sign, bool negated,
				 struct marker_token right, const struct requirement_host *host)
{
	struct span name = left.kind == WORD ? left.text : right.text;
	struct span a = left.text, b = right.text;
	bool is_extra = span_is(name, "extra");

	if (left.kind == right.kind)
		return PEP440_UNKNOWN;
	if (is_extra)
		return decide(span_is(sign.text, "!=") || negated);
	if (!variable(name, host, left.kind == WORD ? &a : &b))
		return PEP440_UNKNOWN;
	if (span_is(sign.text, "in"))
		return decide((span_find(b, a) != SIZE_MAX) != negated);
	if (span_starts(name, "python_"))
		return left.kind == WORD ? compare_versions(a, sign.text, b) : PEP440_UNKNOWN;
	if (span_is(sign.text, "=="))
		return decide(span_same(a, b));
	return span_is(sign.text, "!=") ? decide(!span_same(a, b)) : PEP440_UNKNOWN;
}

static bool is_word(struct marker_token t, const char *word)
{
	return t.kind == WORD && span_is(t.text, word);
}

static bool is_value(struct marker_token t)
{
	return t.kind == WORD || t.kind == TEXT;
}

static bool read_or(struct span *rest, const struct requirement_host *host, int depth,
		    enum pep440_meets *ret);

/* One comparison, or parentheses. False: no marker at all. */
static bool read_one(struct span *rest, const struct requirement_host *host, int depth,
		     enum pep440_meets *ret)
{
	struct marker_token left = next_token(rest);
	struct marker_token sign, right;
	bool negated = false;

	if (left.kind == OPEN)
		return depth < MARKER_DEPTH_MAX && read_or(rest, host, depth + 1, ret) &&
		       next_token(rest).kind == CLOSE;
	sign = next_token(rest);
	if (is_word(sign, "not")) {
		negated = true;
		sign = next_token(rest);
	}
	right = next_token(rest);
	if (!is_value(left) || !is_value(right) || (sign.kind != OPERATOR && !is_word(sign, "in")))
		return false;
	*ret = compare(left, sign, negated, right, host);
	return true;
}

static bool read_and(struct span *rest, const struct requirement_host *host, int depth,
		     enum pep440_meets *ret)
{
	enum pep440_meets next;

	if (!read_one(rest, host, depth, ret))
		return false;
	while (is_word(peek_token(*rest), "and")) {
		next_token(rest);
		if (!read_one(rest, host, depth, &next))
			return false;
		if (*ret == PEP440_NO || next == PEP440_NO)
			*ret = PEP440_NO;
		else if (next == PEP440_UNKNOWN)
			*ret = PEP440_UNKNOWN;
	}
	return true;
}

static bool read_or(struct span *rest, const struct requirement_host *host, int depth,
		    enum pep440_meets *ret)
{
	enum pep440_meets next;

	if (!read_and(rest, host, depth, ret))
		return false;
	while (is_word(peek_token(*rest), "or")) {
		next_token(rest);
		if (!read_and(rest, host, depth, &next))
			return false;
		if (*ret == PEP440_YES || next == PEP440_YES)
			*ret = PEP440_YES;
		else if (next == PEP440_UNKNOWN)
			*ret = PEP440_UNKNOWN;
	}
	return true;
}

enum pep440_meets requirement_applies(const struct requirement *r,
				      const struct requirement_host *host)
{
	struct span rest = r->marker;
	enum pep440_meets met;

	if (rest.len == 0)
		return PEP440_YES;
	if (!read_or(&rest, host, 0, &met) || next_token(&rest).kind != END)
		return PEP440_UNKNOWN;
	return met;
}
