#include "scrub/value-text.h"

#include <ctype.h>
#include <string.h>

#include "scrub/glyph.h"
#include "scrub/shapes.h"

bool value_ends(struct span text, size_t at)
{
	char c = text.data[at];

	if (c == ',')
		return at + 1 == text.len || shape_is_in(text.data[at + 1], " \t\n\"'");
	return shape_is_in(c, " \t\n;&<") || named_value_quote(text, at) > 0 ||
	       named_value_blanks(text, at) > at;
}

/* Up to the quote that is spelled as the one that was opened. */
static size_t up_to_quote(struct span text, size_t at, size_t opened)
{
	char is, one;
	size_t n = glyph_at(text, opened, &is);
	size_t end = at;

	while (end < text.len && text.data[end] != '\n' &&
	       (glyph_at(text, end, &one) != n || one != is))
		end++;
	return end;
}

/* The last quote before a text of Python: b'x', """x""". */
static size_t first_quote(struct span text, size_t start)
{
	char c;

	if (shape_is_in(shape_byte(text, start), "bBrRuUfF") &&
	    shape_is_in(shape_byte(text, start + 1), "\"'"))
		start++;
	c = shape_byte(text, start);
	if (shape_is_in(c, "\"'") && shape_byte(text, start + 1) == c &&
	    shape_byte(text, start + 2) == c)
		start += 2;
	return start;
}

bool value_is_quoted(struct span text, size_t at)
{
	return named_value_quote(text, first_quote(text, at)) > 0;
}

struct span value_text(struct span text, const struct named_value *n)
{
	size_t start = first_quote(text, n->start);
	size_t quote = named_value_quote(text, start);
	bool around = quote == 0 && n->quote != SIZE_MAX && !n->behind_quote &&
		      text.data[start - 1] != ',' && !named_value_quote(text, n->end);
	size_t end = start + quote;

	if (quote > 0 && text.data[start] == '`' && n->quote != SIZE_MAX &&
	    text.data[n->quote] == '`')
		quote = 0; /* `NAME:` of Markdown: what follows is a sentence */
	else if (quote > 0)
		end = up_to_quote(text, end, start);
	else if (around)
		end = up_to_quote(text, start, n->quote);
	else
		while (end < text.len && !value_ends(text, end))
			end++;
	start = quote > 0 ? start + quote : start < end ? start : end;
	while (quote == 0 && end > start && shape_is_in(text.data[end - 1], ",)]}"))
		end--;
	return (struct span){ text.data + start, end - start };
}

/* A step on a line; what an '=' gives in quotes is one: response="x". */
static size_t behind_parameter(struct span text, size_t at)
{
	size_t end;

	if (text.data[at] != '=' || shape_byte(text, at + 1) != '"')
		return at + 1;
	end = up_to_quote(text, at + 2, at + 1);
	return end < text.len && text.data[end] == '"' ? end + 1 : end;
}

struct span value_line(struct span text, const struct named_value *n)
{
	bool word = shape_byte(text, n->start - 1) != ' ' && n->start >= 4 &&
		    named_value_blanks(text, n->start - 4) == n->start;
	size_t end = n->start;

	if (named_value_quote(text, n->start))
		return value_text(text, n);
	if (n->quote != SIZE_MAX)
		end = up_to_quote(text, end, n->quote);
	else
		while (end < text.len && !shape_is_in(text.data[end], word ? " \t\n" : "\n\"'"))
			end = behind_parameter(text, end);
	return (struct span){ text.data + n->start, end - n->start };
}

/* A word behind the value of an option that may be one more of its values. */
static size_t next_value(struct span text, size_t at, bool all)
{
	size_t start = named_value_blanks(text, at);
	size_t n = shape_run(text, start, all ? "_-+/=." : "+/=");

	if (start == at || n == 0 || shape_is_in(text.data[start], "-+=./"))
		return 0;
	if (start + n < text.len && !value_ends(text, start + n))
		return 0;
	return all || shape_is_random((struct span){ text.data + start, n }) ? start + n : 0;
}

struct span value_with_more(struct span text, struct span value, bool all)
{
	size_t start = (size_t)(value.data - text.data);
	size_t end = start + value.len, next;

	while ((next = next_value(text, end, all)) > 0)
		end = next;
	return (struct span){ value.data, end - start };
}

/* ---- what is wrapped ---- */

#define WRAP_MAX ((size_t)4096) /* how far the closing bracket is looked for */

static size_t word_at(struct span text, size_t at)
{
	return shape_run(text, at, "_");
}

size_t value_behind_tags(struct span text, size_t at)
{
	while (shape_is_in(shape_byte(text, at), "!&")) {
		size_t end = at + 1;
		size_t next;

		while (shape_is_in(shape_byte(text, end), "!<>_-.:/") ||
		       shape_is_word(shape_byte(text, end)))
			end++;
		next = named_value_blanks(text, end);
		if (end == at + 1 || next == end)
			break;
		at = next;
	}
	return at;
}

/* Some(, SecretStr(: a name with a capital and small letters, or one that is listed. What is called otherwise is code. */
static size_t constructor_at(const struct secret_rules *rules, struct span text, size_t at)
{
	size_t n = word_at(text, at);
	struct span word = { text.data + at, n };
	bool camel = n > 1 && isupper((unsigned char)word.data[0]);
	bool small = false;

	if (n == 0 || n > NAMED_VALUE_BACK || shape_byte(text, at + n) != '(')
		return 0;
	for (size_t i = 1; i < n; i++)
		small |= islower((unsigned char)word.data[i]) != 0;
	if (camel && small)
		return n;
	for (const struct secret_rule *r = rules->by_form[RULE_WRAPPER]; r; r = r->next)
		if (span_same(word, r->text))
			return n;
	return 0;
}

static size_t behind_text(struct span text, size_t at)
{
	size_t quote = named_value_quote(text, at);
	size_t end = up_to_quote(text, at + quote, at);

	return end < text.len && text.data[end] != '\n' ? end + quote : at + quote;
}

/* The bracket that closes the one before a place; else the end of the line, or how far is looked. */
static size_t closing(struct span text, size_t from)
{
	size_t limit = text.len - from > WRAP_MAX ? from + WRAP_MAX : text.len;
	size_t depth = 1;
	size_t line = SIZE_MAX;

	for (size_t at = from; at < limit;) {
		if (text.data[at] == '\n' && line == SIZE_MAX)
			line = at;
		if (named_value_quote(text, at)) {
			at = behind_text(text, at);
			continue;
		}
		depth += shape_is_in(text.data[at], "[({");
		depth -= shape_is_in(text.data[at], "])}");
		if (depth == 0)
			return at;
		at++;
	}
	return line != SIZE_MAX ? line : limit;
}

bool value_is_wrapped(const struct secret_rules *rules, struct span text, size_t at,
		      struct value_wrap *ret)
{
	size_t call = constructor_at(rules, text, at);

	if (call == 0 && !shape_is_in(shape_byte(text, at), "[({"))
		return false;
	if (shape_byte(text, at) == '{' && shape_byte(text, at + 1) == '{')
		return false; /* a template has its name there */
	*ret = (struct value_wrap){ at + call + 1, closing(text, at + call + 1), call > 0 };
	return true;
}

/* The length of the separator between two parts. */
static size_t parts_it(struct span text, size_t at)
{
	size_t blank = named_value_blanks(text, at) - at;

	return blank > 0 ? blank : shape_is_in(shape_byte(text, at), "\n\r,;[](){}|");
}

bool value_part_next(struct span text, size_t end, size_t *at, struct value_part *ret)
{
	size_t from = *at, quote, behind, n;

	while (from < end && (n = parts_it(text, from)) > 0)
		from += n;
	if (from >= end)
		return false;
	from = first_quote(text, from);
	quote = named_value_quote(text, from);
	behind = quote > 0 ? up_to_quote(text, from + quote, from) : from;
	while (quote == 0 && behind < end && !parts_it(text, behind) &&
	       !shape_is_in(text.data[behind], "=:") && !named_value_quote(text, behind))
		behind++;
	behind = behind > end ? end : behind;
	ret->text = (struct span){ text.data + from + quote,
				   behind > from + quote ? behind - from - quote : 0 };
	ret->quoted = quote > 0;
	behind = behind + quote > from + 1 ? behind + quote : from + 1;
	*at = behind;
	behind = named_value_blanks(text, behind);
	ret->key = shape_is_in(shape_byte(text, behind), "=:");
	return true;
}
