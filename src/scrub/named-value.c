#include "scrub/named-value.h"

#include <string.h>
#include <strings.h>

#include "scrub/shapes.h"

/* ---- blanks and quotes, escaped or not ---- */

static bool is_escape(struct span text, size_t at, const char *digits)
{
	return at + 4 <= text.len && text.data[at] == '\\' &&
	       (memcmp(text.data + at + 1, digits, 3) == 0);
}

static size_t blank_at(struct span text, size_t at)
{
	if (shape_is_in(shape_byte(text, at), " \t"))
		return 1;
	if (shape_byte(text, at) == '\\' && shape_byte(text, at + 1) == '\n')
		return 2; /* the line goes on */
	return is_escape(text, at, "x20") || is_escape(text, at, "x09") ||
			       is_escape(text, at, "040")
		       ? 4
		       : 0;
}

/* The bytes of a quote: ", ', \" of JSON in JSON, \x22 and \x5c" of a word. */
size_t named_value_quote(struct span text, size_t at)
{
	if (shape_is_in(shape_byte(text, at), "\"'"))
		return 1;
	if (shape_byte(text, at) == '\\' && shape_is_in(shape_byte(text, at + 1), "\"'"))
		return 2;
	if (is_escape(text, at, "x5c") && shape_is_in(shape_byte(text, at + 4), "\"'"))
		return 5;
	return is_escape(text, at, "x22") || is_escape(text, at, "x27") ? 4 : 0;
}

/* The quote that ends before a place. */
static size_t quote_before(struct span text, size_t end)
{
	static const size_t widths[] = { 5, 4, 2, 1 };

	for (size_t i = 0; i < 4; i++)
		if (end >= widths[i] && named_value_quote(text, end - widths[i]) == widths[i])
			return widths[i];
	return 0;
}

size_t named_value_blanks(struct span text, size_t at)
{
	size_t limit = at + NAMED_VALUE_BACK;
	size_t n;

	while (at < limit && (n = blank_at(text, at)) > 0)
		at += n;
	return at;
}

static size_t blank_before(struct span text, size_t end)
{
	if (end > 0 && shape_is_in(text.data[end - 1], " \t\n"))
		return 1;
	return end >= 4 && blank_at(text, end - 4) == 4 ? 4 : 0;
}

bool named_value_is_apart(struct span text, size_t end)
{
	return end == 0 || shape_is_in(text.data[end - 1], "=([,|;") || blank_before(text, end) > 0;
}

/* The word before a place, which begins one itself; empty if there is none near. */
static struct span word_before(struct span text, size_t at)
{
	size_t end = at, from, n;

	while ((n = blank_before(text, end)) > 0 && at - end < NAMED_VALUE_BACK)
		end -= n;
	for (from = end; from > 0 && end - from < NAMED_VALUE_BACK && !blank_before(text, from);)
		from--;
	return (struct span){ text.data + from, end - from };
}

/* ---- the name ---- */

/* An escaped blank or quote before a name is none of its letters. */
static size_t without_escape(struct span text, size_t from, size_t end)
{
	if (from > 0 && text.data[from - 1] == '\\' && end - from >= 3 && text.data[from] == 'x')
		return from + 3;
	return from;
}

/* --logger.password: what stands before the last dot is the option's too. The place of the name, if there is no such thing. */
static size_t dotted_head(struct span text, size_t name)
{
	size_t from = name;

	if (name == 0 || text.data[name - 1] != '.')
		return name;
	while (from > 0 && name - from < NAMED_VALUE_BACK &&
	       (shape_is_word(text.data[from - 1]) || shape_is_in(text.data[from - 1], "_-.")))
		from--;
	from = without_escape(text, from, name);
	return text.data[from] == '-' && text.data[from + 1] == '-' ? from : name;
}

/* environ["NAME"] = "x": the bracket is none of the name's. */
static size_t without_bracket(struct span text, size_t at)
{
	return at > 1 && text.data[at - 1] == ']' && quote_before(text, at - 1) > 0 ? at - 1 : at;
}

bool named_value_find(struct span text, size_t where, struct named_value *ret)
{
	size_t at = without_bracket(text, where);
	size_t closed = quote_before(text, at);
	size_t end = at - closed;
	size_t from = end;
	size_t opened;

	while (from > 0 && end - from < NAMED_VALUE_BACK &&
	       (shape_is_word(text.data[from - 1]) || shape_is_in(text.data[from - 1], "_-")))
		from--;
	from = without_escape(text, from, end);
	for (ret->dashes = 0; from < end && text.data[from] == '-'; from++)
		ret->dashes++;
	ret->name = (struct span){ text.data + from, end - from };
	ret->bracket = at < where;
	ret->head = ret->dashes > 0 ? from - ret->dashes : dotted_head(text, from);
	ret->dotted = ret->dashes == 0 && ret->head < from;
	opened = quote_before(text, ret->head);
	ret->quote = opened > 0 ? ret->head - opened : SIZE_MAX;
	return end > from && (closed == 0 || opened == closed);
}

bool named_value_is_option(struct span text, const struct named_value *n)
{
	return (n->dashes > 0 || n->dotted) &&
	       (n->quote != SIZE_MAX || named_value_is_apart(text, n->head));
}

/* ---- what parts them ---- */

/* Behind '=' or ':'; 0: it compares, scopes or begins the address of a URL. */
static size_t behind_sign(struct span text, size_t at, bool spaced)
{
	char c = shape_byte(text, at), next = shape_byte(text, at + 1);

	if (at > 0 && shape_is_in(text.data[at - 1], "=!<>:"))
		return 0;
	if (c == '=')
		return next == '='   ? 0
		       : next == '>' ? named_value_blanks(text, at + 2)
		       : spaced      ? named_value_blanks(text, at + 1)
				     : at + 1;
	if (c == ':')
		return next == ':' || (next == '/' && shape_byte(text, at + 2) == '/')
			       ? 0
			       : named_value_blanks(text, at + (next == '=' ? 2 : 1));
	return 0;
}

/* "setenv NAME value": the word before the name. */
static bool is_set(const struct secret_rules *rules, struct span text, const struct named_value *n)
{
	size_t start = (size_t)(n->name.data - text.data);
	struct span word;

	if (blank_before(text, start) == 0 ||
	    secret_names_judge(&rules->names, n->name) == SECRET_NAME_NONE)
		return false;
	word = word_before(text, start);
	for (const struct secret_rule *r = rules->by_form[RULE_SETTER]; r; r = r->next)
		if (word.len >= r->text.len &&
		    memcmp(word.data + word.len - r->text.len, r->text.data, r->text.len) == 0)
			return true;
	return false;
}

/* netrc: "login NAME password VALUE", on one line or on several. */
static bool is_behind(const struct secret_rules *rules, struct span text,
		      const struct named_value *n)
{
	for (const struct secret_rule *r = rules->by_form[RULE_BEHIND]; r; r = r->next) {
		struct span word;

		if (n->name.len != r->text.len ||
		    strncasecmp(n->name.data, r->text.data, n->name.len) != 0)
			continue;
		word = word_before(text, (size_t)(n->name.data - text.data));
		word = word_before(text, (size_t)(word.data - text.data));
		if (word.len == r->more.len && strncasecmp(word.data, r->more.data, word.len) == 0)
			return true;
	}
	return false;
}

/* "password is x", "password -> x": behind the word that joins them, 0 for none. */
static size_t behind_joiner(const struct secret_rules *rules, struct span text, size_t at)
{
	for (const struct secret_rule *r = rules->by_form[RULE_JOINER]; r; r = r->next) {
		size_t end = at + r->text.len;
		size_t value = secret_rule_is_at(r, text, at) ? named_value_blanks(text, end) : end;

		if (value > end)
			return value;
	}
	return 0;
}

static size_t behind_blank(const struct secret_rules *rules, struct span text, size_t at,
			   struct named_value *n)
{
	size_t i = named_value_blanks(text, at);
	size_t joined;

	if (shape_is_in(shape_byte(text, i), "=:")) {
		n->spaced = true;
		return behind_sign(text, i, true);
	}
	if (named_value_is_option(text, n) || is_set(rules, text, n) || is_behind(rules, text, n))
		return i;
	joined = i < text.len ? behind_joiner(rules, text, i) : 0;
	n->told = joined > 0;
	return joined;
}

static size_t behind(const struct secret_rules *rules, struct span text, size_t at,
		     struct named_value *n)
{
	size_t i;

	switch (text.data[at]) {
	case ',': /* ['--api-key', 'x'], setdefault("HF_TOKEN", "x") */
		i = named_value_blanks(text, at + 1);
		return n->quote != SIZE_MAX && named_value_quote(text, i) &&
				       (named_value_is_option(text, n) ||
					(n->quote > 0 && text.data[n->quote - 1] == '('))
			       ? i
			       : 0;
	case '>':
		return n->name.data > text.data && n->name.data[-1] == '<' ? at + 1 : 0;
	case '%':
		return shape_byte(text, at + 1) == '3' && (shape_byte(text, at + 2) | 32) == 'd'
			       ? at + 3
			       : 0;
	case ' ':
	case '\t':
	case '\\':
		return behind_blank(rules, text, at, n);
	default:
		return behind_sign(text, at, false);
	}
}

/* Where the value begins, 0 for none. Behind a bracket stands a program: only a text is one there. */
size_t named_value_begin(const struct secret_rules *rules, struct span text, size_t at,
			 struct named_value *n)
{
	size_t i = behind(rules, text, at, n);

	return n->bracket && !named_value_quote(text, i) ? 0 : i;
}

/* ---- the value ---- */

bool named_value_ends(struct span text, size_t at)
{
	char c = text.data[at];

	if (c == ',')
		return at + 1 == text.len || shape_is_in(text.data[at + 1], " \t\n\"'");
	return shape_is_in(c, " \t\n;&<") || named_value_quote(text, at) > 0 ||
	       blank_at(text, at) > 0;
}

static size_t up_to_quote(struct span text, size_t at, size_t opened)
{
	size_t n = named_value_quote(text, opened);
	size_t end = at;

	while (end < text.len && text.data[end] != '\n' &&
	       (named_value_quote(text, end) != n ||
		memcmp(text.data + end, text.data + opened, n) != 0))
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

/* Up to the quote that was opened, before the name or at the value; else as far as words go. */
struct span named_value_text(struct span text, const struct named_value *n)
{
	size_t start = first_quote(text, n->start);
	size_t quote = named_value_quote(text, start);
	bool around = quote == 0 && n->quote != SIZE_MAX && quote_before(text, n->start) == 0 &&
		      text.data[start - 1] != ',' &&
		      !named_value_quote(text, (size_t)(n->name.data - text.data) + n->name.len);
	size_t end = start + quote;

	if (quote > 0)
		end = up_to_quote(text, end, start);
	else if (around)
		end = up_to_quote(text, start, n->quote);
	else
		while (end < text.len && !named_value_ends(text, end))
			end++;
	start += quote;
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

/* The rest of the line; of a word whose blanks are escaped, the rest of the word. */
struct span named_value_line(struct span text, const struct named_value *n)
{
	bool word = shape_byte(text, n->start - 1) != ' ' && n->start >= 4 &&
		    blank_at(text, n->start - 4) == 4;
	size_t end = n->start;

	if (named_value_quote(text, n->start))
		return named_value_text(text, n);
	if (n->quote != SIZE_MAX)
		end = up_to_quote(text, end, n->quote);
	else
		while (end < text.len && !shape_is_in(text.data[end], word ? " \t\n" : "\n\"'"))
			end = behind_parameter(text, end);
	return (struct span){ text.data + n->start, end - n->start };
}
