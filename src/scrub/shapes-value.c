/*
 * Values that a name tells to be secrets: HF_TOKEN=x, "password": "x",
 * --api-key x, db_pass: x, setenv TOKEN x, <password>x</password>, and the
 * options and headers that data/secrets.tsv lists.
 */

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "scrub/named-value.h"
#include "scrub/shapes.h"

#define NUMBER_MAX 7 /* digits of a number that is a setting */

static bool ends_name(char c)
{
	return shape_is_word(c) || shape_is_in(c, "_-\"']");
}

/* A number of tokens, a version: no secret. */
static bool is_number(struct span v)
{
	size_t digits = 0, dots = 0;

	for (size_t i = 0; i < v.len; i++) {
		digits += isdigit((unsigned char)v.data[i]) != 0;
		dots += v.data[i] == '.';
	}
	return v.len > 0 && digits + dots == v.len && (digits < NUMBER_MAX || dots > 0);
}

/* $NAME and ${name} of a shell, <your-token>, ***, and what we wrote ourselves. */
static bool is_stand_in(struct span v)
{
	size_t same = 0, capitals = 1;

	while (same < v.len && v.data[same] == v.data[0])
		same++;
	while (capitals < v.len &&
	       (isupper((unsigned char)v.data[capitals]) || v.data[capitals] == '_'))
		capitals++;
	if (same == v.len || (v.data[0] == '<' && v.data[v.len - 1] == '>'))
		return true;
	if (v.data[0] == '$' && v.len > 1)
		return shape_is_in(v.data[1], "{(") || capitals == v.len;
	return v.len == 14 && span_starts(v, "token-") && shape_run(v, 6, "") == 8;
}

/* A line of a traceback: token = self.decode(ids), password=password. */
static bool is_code(struct span v, struct span name)
{
	size_t n = 0;

	while (n < v.len && (islower((unsigned char)v.data[n]) || shape_is_in(v.data[n], "_.")))
		n++;
	if (n == v.len && name.len >= n && strncasecmp(name.data + name.len - n, v.data, n) == 0)
		return true;
	return n > 2 && n + 1 < v.len && shape_is_in(v.data[n], "([") &&
	       (isalpha((unsigned char)v.data[n + 1]) || shape_is_in(v.data[n + 1], "_)]\"'"));
}

static bool is_listed(const struct secret_rule *rows, struct span v)
{
	for (const struct secret_rule *r = rows; r; r = r->next) {
		size_t n = r->text.len;

		if (r->text.data[n - 1] == '*'
			    ? v.len + 1 >= n && memcmp(v.data, r->text.data, n - 1) == 0
			    : v.len == n && strncasecmp(v.data, r->text.data, n) == 0)
			return true;
	}
	return false;
}

static bool is_harmless(const struct secret_rules *rules, struct span v, struct span name)
{
	return v.len == 0 || is_number(v) || is_stand_in(v) || is_code(v, name) ||
	       is_listed(rules->by_form[RULE_HARMLESS], v);
}

/* user=root, host=localhost:8000 */
static bool is_nobody(const struct secret_rules *rules, struct span v)
{
	return v.len == 0 || is_number(v) || is_stand_in(v) ||
	       is_listed(rules->by_form[RULE_HARMLESS], v) ||
	       is_listed(rules->by_form[RULE_NOBODY], v);
}

/* pwd=/srv/x is where a program works. */
static bool is_path(struct span v)
{
	return shape_is_in(v.data[0], "/.~") ||
	       (v.len > 2 && v.data[1] == ':' && v.data[2] == '\\');
}

/* "Proxy-Authorization", whose value is the rest of the line. */
static const struct secret_rule *header_of(const struct secret_rules *rules, struct span name)
{
	for (const struct secret_rule *r = rules->by_form[RULE_HEADER]; r; r = r->next) {
		size_t i = 0;

		while (i < name.len && i < r->text.len &&
		       (toupper((unsigned char)name.data[i]) == r->text.data[i] ||
			(name.data[i] == '-' && r->text.data[i] == '_')))
			i++;
		if (i == name.len && i == r->text.len)
			return r;
	}
	return NULL;
}

static bool is_program(const struct secret_rules *rules, struct span option, struct span text,
		       size_t at)
{
	for (const struct secret_rule *r = rules->by_form[RULE_OPTION]; r; r = r->next)
		if (span_same(option, r->text) && text.len - at >= r->more.len &&
		    memcmp(text.data + at, r->more.data, r->more.len) == 0 &&
		    !shape_is_word(shape_byte(text, at + r->more.len)))
			return true;
	return false;
}

/* Letters, one bit for each: most of a line is passed over by them. */
static uint32_t letter_bit(char c)
{
	return (uint32_t)1 << ((unsigned char)c % 32);
}

/* An option that is listed, with its program before it on the same line. */
static bool is_listed_option(const struct secret_rules *rules, struct span text, size_t at,
			     size_t len)
{
	struct span option = { text.data + at, len };
	uint32_t letters = 0;

	for (const struct secret_rule *r = rules->by_form[RULE_OPTION]; r; r = r->next)
		if (span_same(option, r->text))
			letters |= letter_bit(r->more.data[0]);
	for (size_t i = at; letters && i > 0 && at - i < NAMED_VALUE_BACK; i--) {
		if (text.data[i - 1] == '\n')
			return false;
		if (shape_is_word(text.data[i - 1]) && letters & letter_bit(text.data[i - 1]) &&
		    shape_begins(text, i - 1) && is_program(rules, option, text, i - 1))
			return true;
	}
	return false;
}

static const struct secret_rule *listed_value(const struct secret_rules *rules, struct span name)
{
	for (const struct secret_rule *r = rules->by_form[RULE_VALUE]; r; r = r->next)
		if (span_same(name, r->text))
			return r;
	for (const struct secret_rule *r = rules->by_form[RULE_NAMED]; r; r = r->next)
		if (span_same(name, r->text))
			return r;
	return NULL;
}

static struct span judge_header(const struct secret_rules *rules, const struct secret_rule *header,
				struct span text, const struct named_value *n)
{
	size_t left = text.len - n->start;
	struct span near = { text.data + n->start,
			     left < NAMED_VALUE_BACK ? left : NAMED_VALUE_BACK };
	struct span v;

	if (header->more.len > 0 &&
	    (!span_line(&near, &v) || span_find(v, header->more) == SIZE_MAX))
		return (struct span){ text.data, 0 };
	v = named_value_line(text, n);
	if (v.len < NAMED_VALUE_BACK && is_harmless(rules, v, n->name))
		v.len = 0;
	return v;
}

/* "key=" and its like: letters mixed as no word is, and of an option also a long number. */
static struct span weak_value(struct span text, const struct named_value *n)
{
	size_t start = n->start + named_value_quote(text, n->start);
	size_t len = shape_run(text, start, "+/=");
	struct span v = { text.data + start, len };

	if (start + len < text.len && !named_value_ends(text, start + len))
		v.len = 0;
	if (!shape_is_random(v) && !(named_value_is_option(text, n) && len >= 32))
		v.len = 0; /* wandb login --key has forty hexadecimal digits */
	return v;
}

/* https://x/y?key=z: in a query also a weak name has nothing but a key. */
static bool is_in_query(struct span text, const struct named_value *n)
{
	return n->name.data > text.data && shape_is_in(n->name.data[-1], "?&");
}

/* "the password is wrong" tells none. */
static bool is_plain_word(struct span v)
{
	size_t n = 0;

	while (n < v.len && (islower((unsigned char)v.data[n]) || shape_is_in(v.data[n], ".,!")))
		n++;
	return n == v.len;
}

/*
 * The name first: a value is read only if it may be one, and then either it is
 * replaced or it is short, so that no line is read again and again.
 */
static struct span judge(const struct secret_rules *rules, struct span text,
			 const struct named_value *n)
{
	struct span none = { text.data, 0 };
	const struct secret_rule *header = header_of(rules, n->name);
	size_t dash = (size_t)(n->name.data - text.data) - n->dashes;
	bool option = named_value_is_option(text, n) &&
		      is_listed_option(rules, text, dash, n->dashes + n->name.len);
	enum secret_name says;
	struct span v;

	if (header)
		return judge_header(rules, header, text, n);
	says = option ? SECRET_NAME_SURE : secret_names_judge(&rules->names, n->name);
	if (says == SECRET_NAME_NONE)
		return none;
	if (says == SECRET_NAME_WEAK && !is_in_query(text, n))
		return weak_value(text, n);
	v = named_value_text(text, n);
	if (n->told && is_plain_word(v))
		return none;
	if (option || v.len >= NAMED_VALUE_BACK)
		return v;
	if (is_harmless(rules, v, n->name))
		return none;
	return !is_path(v) || shape_is_random(v) ? v : none;
}

size_t shape_value(const struct secret_rules *rules, struct span text, size_t at, size_t *ret_start,
		   enum secret_kind *ret_kind)
{
	struct named_value n = { .start = 0 };
	const struct secret_rule *listed;
	struct span v;

	if (at == 0 || !ends_name(text.data[at - 1]) || !named_value_find(text, at, &n))
		return 0; /* most blanks and colons are passed over by one byte */
	n.start = named_value_begin(rules, text, at, &n);
	if (n.start == 0 || n.start >= text.len)
		return 0;
	listed = text.data[at] == '=' ? listed_value(rules, n.name) : NULL;
	v = listed ? named_value_text(text, &n) : judge(rules, text, &n);
	if (listed && listed->form == RULE_NAMED && is_nobody(rules, v))
		return 0;
	*ret_start = (size_t)(v.data - text.data);
	*ret_kind = listed ? listed->kind : SECRET_TOKEN;
	return v.len;
}

size_t shape_glued(const struct secret_rules *rules, struct span text, size_t at)
{
	size_t end = at + 1;

	if (at < 2 || text.data[at - 1] != '-' || !named_value_is_apart(text, at - 1))
		return 0;
	while (end < text.len && end - at < NAMED_VALUE_BACK && !named_value_ends(text, end))
		end++;
	return end > at + 3 && is_listed_option(rules, text, at - 1, 2) ? end - at : 0;
}

/* Behind a word of a command, without its options; behind a field, up to the next colon. */
static size_t next_word(struct span text, size_t at, bool fields)
{
	while (at < text.len && text.data[at] != '\n' &&
	       (fields ? text.data[at] != ':' : !named_value_ends(text, at)))
		at++;
	return fields ? at + 1 : named_value_blanks(text, at);
}

size_t shape_argument(const struct secret_rules *rules, const struct secret_rule *r,
		      struct span text, size_t at, size_t *ret_start)
{
	bool fields = r->text.data[r->text.len - 1] == ':';
	size_t start = at + r->text.len, end;
	uint64_t left = r->least;

	if (fields ? at == 0 || text.data[at - 1] != ':' : named_value_blanks(text, start) == start)
		return 0;
	for (start = fields ? start : named_value_blanks(text, start); start < text.len && left > 0;
	     start = left > 0 ? next_word(text, start, fields) : start)
		left -= fields || text.data[start] != '-';
	for (end = start; end < text.len && !named_value_ends(text, end);)
		end++;
	*ret_start = start;
	return left == 0 && end > start + 3 &&
			       !is_harmless(rules, (struct span){ text.data + start, end - start },
					    r->text)
		       ? end - start
		       : 0;
}
