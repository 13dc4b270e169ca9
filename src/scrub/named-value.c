#include "scrub/named-value.h"

#include <string.h>
#include <strings.h>

#include "scrub/glyph.h"
#include "scrub/shapes.h"

/* ---- blanks and quotes, escaped or not ---- */

static size_t blank_at(struct span text, size_t at)
{
	size_t n;
	char c = shape_byte(text, at);

	if (glyph_is_plain(c))
		return c == ' ' || c == '\t';
	if (shape_byte(text, at) == '\\' && shape_byte(text, at + 1) == '\n')
		return 2; /* the line goes on */
	n = glyph_at(text, at, &c);
	return shape_is_in(c, " \t") ? n : 0;
}

size_t named_value_quote(struct span text, size_t at)
{
	char c = shape_byte(text, at);
	size_t n;

	if (glyph_is_plain(c))
		return c == '"' || c == '\'' || c == '`';
	n = glyph_at(text, at, &c);
	return shape_is_in(c, "\"'`") ? n : 0;
}

/* Most places are passed over by the byte before them. */
static bool may_end(struct span text, size_t end, const char *last)
{
	return end > 0 &&
	       (shape_is_in(text.data[end - 1], last) || (unsigned char)text.data[end - 1] >= 0x80);
}

/* The quote that ends before a place. */
static size_t quote_before(struct span text, size_t end)
{
	char c;
	size_t n;

	if (!may_end(text, end, "\"'`;27")) /* \x22, \047 */
		return 0;
	n = glyph_before(text, end, &c);
	return shape_is_in(c, "\"'`") ? n : 0;
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
	char c;
	size_t n;

	if (!may_end(text, end, " \t\n;09b")) /* \x20, \040, \u200b */
		return 0;
	n = glyph_before(text, end, &c);
	return shape_is_in(c, " \t\n") ? n : 0;
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

static bool is_of_name(char c)
{
	return shape_is_word(c) || shape_is_in(c, "_-");
}

/*
 * The start of the name that ends at a place. A letter may be spelled in another way
 * (pass\u0077ord), and the digits of an escaped blank or quote are none of its letters.
 */
static size_t name_start(struct span text, size_t end, bool *ret_spelled)
{
	size_t from = end, n;
	char c;

	*ret_spelled = false;
	while (from > 0 && end - from < NAMED_VALUE_BACK) {
		if (is_of_name(text.data[from - 1])) {
			from--;
			continue;
		}
		if (text.data[from - 1] == '\\') {
			size_t start = glyph_around(text, from - 1);

			n = glyph_at(text, start, &c);
			if (n > 1 && !is_of_name(c) && c != GLYPH_NOTHING)
				return start + n < end ? start + n : end;
			n = n > 1 ? from - start : 0;
		} else {
			n = may_end(text, from, ";") ? glyph_before(text, from, &c) : 0;
			n = n > 1 && (is_of_name(c) || c == GLYPH_NOTHING) ? n : 0;
		}
		if (n == 0)
			break;
		*ret_spelled = true;
		from -= n;
	}
	return from;
}

/* An escaped blank or quote before a place: its digits are not what was looked for. */
static size_t behind_escape(struct span text, size_t from, size_t end)
{
	size_t start, n;
	char c;

	if (from == 0 || text.data[from - 1] != '\\')
		return from;
	start = glyph_around(text, from - 1);
	n = glyph_at(text, start, &c);
	return n > 1 && start + n <= end ? start + n : from;
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
	from = behind_escape(text, from, name);
	return text.data[from] == '-' && text.data[from + 1] == '-' ? from : name;
}

/* environ["NAME"] = "x": the bracket is none of the name's. */
static size_t without_bracket(struct span text, size_t at)
{
	return at > 1 && text.data[at - 1] == ']' && quote_before(text, at - 1) > 0 ? at - 1 : at;
}

/* The name as it would be without disguise. */
static void read_name(struct span text, size_t from, size_t end, struct named_value *ret)
{
	ret->at = from;
	ret->end = end;
	ret->name = (struct span){ text.data + from, end - from };
	if (ret->spelled)
		ret->name = (struct span){ ret->plain,
					   glyph_fold(ret->name, ret->plain, sizeof(ret->plain)) };
}

bool named_value_find(struct span text, size_t where, struct named_value *ret)
{
	size_t at = without_bracket(text, where);
	size_t closed =
		at > 0 && text.data[at - 1] == '`' ? 0 : quote_before(text, at); /* Markdown */
	size_t end = at - closed;
	size_t from = name_start(text, end, &ret->spelled);
	size_t opened;

	for (ret->dashes = 0; from < end && text.data[from] == '-'; from++)
		ret->dashes++;
	read_name(text, from, end, ret);
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

#define CELL_MIN     12 /* letters of a key in a table */
#define SENTENCE_MIN 16 /* and behind one blank: "using token x" */

/* Behind '=' or ':'; 0: it scopes or begins the address of a URL. What compares tells little. */
static size_t behind_sign(struct span text, size_t at, bool spaced, struct named_value *n)
{
	char c, next, third;
	size_t sign = glyph_at(text, at, &c);
	size_t more = glyph_at(text, at + sign, &next);

	glyph_at(text, at + sign + more, &third);
	if (at > 0 && shape_is_in(text.data[at - 1], "=!<>:"))
		return 0;
	if (c == '=' && next == '=') {
		n->unsure = CELL_MIN;
		return named_value_blanks(text, at + sign + more);
	}
	if (c == '=' && next == '>')
		return named_value_blanks(text, at + sign + more);
	if (c == '=' && !spaced && blank_at(text, at + sign) > 0)
		n->unsure = CELL_MIN; /* HF_TOKEN= python x: an empty one, and a command */
	if (c == '=')
		return named_value_blanks(text, at + sign);
	if (c == ':')
		return next == ':' || (next == '/' && third == '/')
			       ? 0
			       : named_value_blanks(text, at + sign + (next == '=' ? more : 0));
	return 0;
}

/* "setenv NAME value": the word before the name. */
static bool is_set(const struct secret_rules *rules, struct span text, const struct named_value *n)
{
	size_t start = n->at;
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
		word = word_before(text, n->at);
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
		bool may = (text.data[at] | 32) == (r->text.data[0] | 32);
		size_t value =
			may && secret_rule_is_at(r, text, at) ? named_value_blanks(text, end) : end;

		if (value > end)
			return value;
	}
	return 0;
}

/* A cell of a table, behind two blanks, a tab or a bar; else what a sentence has behind the name. */
static size_t behind_cell(struct span text, size_t at, struct named_value *n)
{
	size_t i = named_value_blanks(text, at);
	bool bar = shape_byte(text, i) == '|';

	n->unsure = !bar && i < at + 2 && shape_byte(text, at) != '\t' ? SENTENCE_MIN : CELL_MIN;
	i = bar ? named_value_blanks(text, i + 1) : i;
	return shape_run(text, i + named_value_quote(text, i), "+/=") >= n->unsure ? i : 0;
}

static size_t behind_blank(const struct secret_rules *rules, struct span text, size_t at,
			   struct named_value *n)
{
	size_t i = named_value_blanks(text, at);
	size_t joined;
	char c;

	glyph_at(text, i, &c);
	if (shape_is_in(c, "=:")) {
		n->spaced = true;
		return behind_sign(text, i, true, n);
	}
	joined = i < text.len ? behind_joiner(rules, text, i) : 0;
	n->told = joined > 0;
	if (joined > 0)
		return joined;
	if (named_value_is_option(text, n) || is_set(rules, text, n) || is_behind(rules, text, n))
		return i;
	return behind_cell(text, at, n);
}

static size_t behind(const struct secret_rules *rules, struct span text, size_t at,
		     struct named_value *n)
{
	size_t i;
	char c;

	glyph_at(text, at, &c);
	switch (c) {
	case ',': /* ['--api-key', 'x'], setdefault("HF_TOKEN", "x") */
		i = named_value_blanks(text, at + 1);
		return n->quote != SIZE_MAX && named_value_quote(text, i) &&
				       (named_value_is_option(text, n) ||
					(n->quote > 0 && text.data[n->quote - 1] == '('))
			       ? i
			       : 0;
	case '(': /* Token("x"), as Rust prints it */
		n->unsure = SENTENCE_MIN;
		return named_value_quote(text, at + 1) ? at + 1 : 0;
	case '>':
		return n->at > 0 && text.data[n->at - 1] == '<' && shape_byte(text, at + 1) != '`'
			       ? at + 1
			       : 0;
	case '%':
		return shape_byte(text, at + 1) == '3' && (shape_byte(text, at + 2) | 32) == 'd'
			       ? at + 3
			       : 0;
	case ' ':
	case '\t':
	case '\\':
	case '|':
		return behind_blank(rules, text, at, n);
	default:
		return behind_sign(text, at, false, n);
	}
}

size_t named_value_begin(const struct secret_rules *rules, struct span text, size_t at,
			 struct named_value *n)
{
	size_t i = behind(rules, text, at, n);

	n->behind_quote = i > 0 && quote_before(text, i) > 0;
	return i;
}
