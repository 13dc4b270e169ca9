/*
 * Values that a name tells to be secrets: HF_TOKEN=x, "password": "x",
 * --api-key x, db_pass: x, setenv TOKEN x, <password>x</password>, and the
 * options and headers that data/secrets.tsv lists.
 */

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "scrub/glyph.h"
#include "scrub/shapes.h"
#include "scrub/value-pair.h"
#include "scrub/value-text.h"

#define NUMBER_MAX 7 /* digits of a number that is a setting */

/* The last byte of a name, of a quote behind it, or of another spelling of one. */
static bool ends_name(char c)
{
	return shape_is_word(c) || shape_is_in(c, "_-\"'];") || (unsigned char)c >= 0x80;
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

	if (name.len >= v.len && strncasecmp(name.data + name.len - v.len, v.data, v.len) == 0)
		return true; /* --api-key KEY of a manual, too */
	while (n < v.len && (islower((unsigned char)v.data[n]) || shape_is_in(v.data[n], "_.")))
		n++;
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

static bool is_program(const struct secret_rule *rows, struct span option, struct span text,
		       size_t at)
{
	for (const struct secret_rule *r = rows; r; r = r->next)
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
static bool is_listed_option(const struct secret_rule *rows, struct span text, size_t at,
			     size_t len)
{
	struct span option = { text.data + at, len };
	uint32_t letters = 0;

	for (const struct secret_rule *r = rows; r; r = r->next)
		if (span_same(option, r->text))
			letters |= letter_bit(r->more.data[0]);
	for (size_t i = at; letters && i > 0 && at - i < NAMED_VALUE_BACK; i--) {
		if (text.data[i - 1] == '\n')
			return false;
		if (shape_is_word(text.data[i - 1]) && letters & letter_bit(text.data[i - 1]) &&
		    shape_begins(text, i - 1) && is_program(rows, option, text, i - 1))
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
	v = value_line(text, n);
	if (v.len < NAMED_VALUE_BACK && is_harmless(rules, v, n->name))
		v.len = 0;
	return v;
}

/* "key=" and its like: letters mixed as no word is, and of an option also a long number. */
static struct span weak_value(struct span text, const struct named_value *n)
{
	size_t start = n->start + named_value_quote(text, n->start);
	size_t len = shape_run(text, start, "+/=");
	size_t end = start + len + (shape_byte(text, start + len) == ':');
	struct span v = { text.data + start, len };

	if (end < text.len && !value_ends(text, end))
		v.len = 0;
	if (n->unsure > 0 && !shape_is_mixed(v, n->unsure))
		v.len = 0;
	if (!shape_is_random(v) && !(named_value_is_option(text, n) && len >= 32))
		v.len = 0; /* wandb login --key has forty hexadecimal digits */
	return v;
}

/* https://x/y?key=z: in a query also a weak name has nothing but a key. */
static bool is_in_query(struct span text, const struct named_value *n)
{
	return n->at > 0 && shape_is_in(text.data[n->at - 1], "?&");
}

static struct span first_word(struct span v)
{
	struct span word = v;

	span_word(&v, &word);
	return word;
}

/* "the password is wrong" tells none. */
static bool is_plain_word(struct span v)
{
	size_t n = 0;

	while (n < v.len &&
	       (islower((unsigned char)v.data[n]) || shape_is_in(v.data[n], ".,!:\"'`")))
		n++;
	return n == v.len;
}

/* ---- what a bracket or a constructor holds ---- */

struct held {
	size_t texts, parts;
	bool pairs;  /* names and values: they are judged by their own names */
	bool random; /* one that nobody would choose as a word */
	bool told;   /* one that is a value and no word of code */
	struct span first;
};

static bool has_digit(struct span v)
{
	for (size_t i = 0; i < v.len; i++)
		if (isdigit((unsigned char)v.data[i]))
			return true;
	return false;
}

/* Without quotes a word of code is more likely: api_key=[default_key]. */
static bool is_bare_value(struct span v)
{
	return v.len > 3 && shape_run(v, 0, "+/=") == v.len && has_digit(v);
}

static struct held look_inside(const struct secret_rules *rules, struct span text, struct span name,
			       const struct value_wrap *wrap)
{
	struct held h = { 0 };
	struct value_part part;

	for (size_t at = wrap->start; value_part_next(text, wrap->end, &at, &part);) {
		h.pairs |= part.key;
		h.parts++;
		h.texts += part.quoted;
		if (part.key || is_harmless(rules, part.text, name) ||
		    (is_path(part.text) && !shape_is_random(part.text)))
			continue;
		h.random |= shape_is_random(part.text);
		h.told |= part.quoted || (!wrap->call && is_bare_value(part.text));
		if (!h.first.data && part.quoted)
			h.first = part.text;
	}
	return h;
}

/* requests.get(url, auth=("ada", "x")) */
static bool is_login(const struct secret_rules *rules, struct span name, const struct held *h)
{
	if (h->parts != 2 || h->texts != 2 || h->pairs)
		return false;
	for (const struct secret_rule *r = rules->by_form[RULE_LOGIN]; r; r = r->next)
		if (name.len == r->text.len && strncasecmp(name.data, r->text.data, name.len) == 0)
			return true;
	return false;
}

/* All that is held, or the one text without its quotes. */
static struct span judge_wrapped(const struct secret_rules *rules, struct span text,
				 const struct named_value *n, enum secret_name says,
				 const struct value_wrap *wrap)
{
	struct held h = look_inside(rules, text, n->name, wrap);
	bool sure = says == SECRET_NAME_SURE && n->unsure == 0;
	struct span all = { text.data + wrap->start, wrap->end - wrap->start };

	if (!h.random && !(sure && h.told && !h.pairs) && !is_login(rules, n->name, &h))
		return (struct span){ text.data, 0 };
	return h.parts == 1 && h.texts == 1 ? h.first : span_trim(all);
}

/* ---- the name ---- */

/* "API key: x": of two words the first makes the second sure. */
static bool is_phrase(const struct secret_rules *rules, struct span text,
		      const struct named_value *n)
{
	char c;
	size_t end = n->at - glyph_before(text, n->at, &c);

	for (const struct secret_rule *r = rules->by_form[RULE_PHRASE]; r; r = r->next)
		if (c == ' ' && end >= r->text.len && n->name.len == r->more.len &&
		    strncasecmp(n->name.data, r->more.data, r->more.len) == 0 &&
		    secret_rule_is_at(r, text, end - r->text.len))
			return true;
	return false;
}

static bool is_option_of(const struct secret_rules *rules, enum rule_form form, struct span text,
			 const struct named_value *n)
{
	return is_listed_option(rules->by_form[form], text, n->at - n->dashes,
				n->end - n->at + n->dashes);
}

static enum secret_name judge_name(const struct secret_rules *rules, struct span text,
				   const struct named_value *n)
{
	enum secret_name says = secret_names_judge(&rules->names, n->name);

	if (says == SECRET_NAME_WEAK && (is_in_query(text, n) || is_phrase(rules, text, n)))
		return SECRET_NAME_SURE;
	if (says == SECRET_NAME_NONE && value_pair_is(rules, n->name)) {
		struct span v = value_text(text, n);

		says = value_pair_judge(rules, text, n, (size_t)(v.data - text.data) + v.len);
	}
	return says;
}

/* ---- the value ---- */

/* Behind the value of an option stand more of them, unless a sign or a quote joined the first. */
static struct span with_more(const struct secret_rules *rules, struct span text,
			     const struct named_value *n, struct span v)
{
	size_t first = (size_t)(v.data - text.data);

	if (!named_value_is_option(text, n) || first != n->start ||
	    named_value_blanks(text, n->end) == n->end)
		return v;
	return value_with_more(text, v, is_option_of(rules, RULE_SEVERAL, text, n));
}

/* environ["NAME"] = x stands in a program: only a text is a value there. */
static bool is_text_or_free(struct span text, const struct named_value *n)
{
	return !n->bracket || value_is_quoted(text, n->start);
}

/*
 * The name first: a value is read only if it may be one, and then either it is
 * replaced or it is short, so that no line is read again and again.
 */
static struct span judge(const struct secret_rules *rules, struct span text, struct named_value *n)
{
	struct span none = { text.data, 0 };
	const struct secret_rule *header = header_of(rules, n->name);
	bool option = named_value_is_option(text, n) && is_option_of(rules, RULE_OPTION, text, n);
	enum secret_name says;
	struct value_wrap wrap;
	struct span v;

	if (header && is_text_or_free(text, n))
		return judge_header(rules, header, text, n);
	says = option ? SECRET_NAME_SURE : judge_name(rules, text, n);
	if (says == SECRET_NAME_NONE)
		return none;
	n->start = value_behind_tags(text, n->start);
	if (value_is_wrapped(rules, text, n->start, &wrap))
		return judge_wrapped(rules, text, n, says, &wrap);
	if (!is_text_or_free(text, n))
		return none;
	if (says == SECRET_NAME_WEAK || n->unsure > 0)
		return weak_value(text, n);
	v = value_text(text, n);
	if (n->told && is_plain_word(first_word(v)))
		return none;
	if (option || v.len >= NAMED_VALUE_BACK)
		return v;
	if (is_harmless(rules, v, n->name) || (is_path(v) && !shape_is_random(v)))
		return none;
	return with_more(rules, text, n, v);
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
	v = listed ? value_text(text, &n) : judge(rules, text, &n);
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
	while (end < text.len && end - at < NAMED_VALUE_BACK && !value_ends(text, end))
		end++;
	return end > at + 3 && is_listed_option(rules->by_form[RULE_OPTION], text, at - 1, 2)
		       ? end - at
		       : 0;
}

/* Behind a word of a command, without its options; behind a field, up to the next colon. */
static size_t next_word(struct span text, size_t at, bool fields)
{
	while (at < text.len && text.data[at] != '\n' &&
	       (fields ? text.data[at] != ':' : !value_ends(text, at)))
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
	for (end = start; end < text.len && !value_ends(text, end);)
		end++;
	*ret_start = start;
	return left == 0 && end > start + 3 &&
			       !is_harmless(rules, (struct span){ text.data + start, end - start },
					    r->text)
		       ? end - start
		       : 0;
}

size_t shape_piped(const struct secret_rule *r, struct span text, size_t at, size_t *ret_start)
{
	size_t left = text.len - at;
	struct span near = { text.data + at, left < NAMED_VALUE_BACK ? left : NAMED_VALUE_BACK };
	char plain[NAMED_VALUE_BACK];
	struct span line, last;
	size_t bar;

	if (shape_is_word(shape_byte(text, at + r->text.len)) || !span_line(&near, &line))
		return 0;
	bar = span_find(line, span_of("|"));
	if (bar == SIZE_MAX)
		return 0;
	last = (struct span){ plain, glyph_fold(line, plain, sizeof(plain)) };
	if (span_find(last, r->more) == SIZE_MAX)
		return 0;
	for (size_t i = 0; i < bar; i = named_value_blanks(line, i)) {
		size_t from = i + named_value_quote(line, i);

		for (i = from; i < bar && !value_ends(line, i);)
			i++;
		last = (struct span){ line.data + from, i - from };
		i += i < bar && named_value_quote(line, i) ? named_value_quote(line, i) : 0;
		if (named_value_blanks(line, i) == i)
			i++;
	}
	*ret_start = (size_t)(last.data - text.data);
	return *ret_start > at && last.len > 0 && !is_stand_in(last) ? last.len : 0;
}
