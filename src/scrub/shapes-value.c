/*
 * Values that a name tells to be secrets: HF_TOKEN=x, "password": "x",
 * --api-key x, db_pass: x, setenv TOKEN x, <password>x</password>, and the
 * options and headers that data/secrets.tsv lists.
 *
 * Judged at what parts name and value, looking back for the name: so a name may
 * be as long as it likes. A blank and a quote may be escaped, since words of
 * journals and snapshots are: Authorization:\x20Bearer\x20x.
 */

#include <ctype.h>
#include <string.h>

#include "scrub/shapes.h"

#define BACK_MAX   ((size_t)256)
#define NUMBER_MAX 7 /* digits of a number that is a setting */

struct named_value {
	struct span name; /* without dashes */
	size_t dashes;
	size_t start; /* of the value */
	size_t quote; /* where an opening quote around name and value stands; SIZE_MAX: none */
	bool spaced;  /* blanks stand before the '=' */
};

static char byte_at(struct span text, size_t at)
{
	return at < text.len ? text.data[at] : '\0';
}

static bool is_in(char c, const char *set)
{
	return c != '\0' && strchr(set, c);
}

/* ---- blanks and quotes, escaped or not ---- */

static bool is_escape(struct span text, size_t at, const char *digits)
{
	return at + 4 <= text.len && text.data[at] == '\\' &&
	       (memcmp(text.data + at + 1, digits, 3) == 0);
}

static size_t blank_at(struct span text, size_t at)
{
	if (is_in(byte_at(text, at), " \t"))
		return 1;
	return is_escape(text, at, "x20") || is_escape(text, at, "x09") ||
			       is_escape(text, at, "040")
		       ? 4
		       : 0;
}

/* The bytes of a quote: ", ', \" of JSON in JSON, \x22 and \x5c" of a word. */
static size_t quote_at(struct span text, size_t at)
{
	if (is_in(byte_at(text, at), "\"'"))
		return 1;
	if (byte_at(text, at) == '\\' && is_in(byte_at(text, at + 1), "\"'"))
		return 2;
	if (is_escape(text, at, "x5c") && is_in(byte_at(text, at + 4), "\"'"))
		return 5;
	return is_escape(text, at, "x22") || is_escape(text, at, "x27") ? 4 : 0;
}

/* The quote that ends before a place. */
static size_t quote_before(struct span text, size_t end)
{
	static const size_t widths[] = { 5, 4, 2, 1 };

	for (size_t i = 0; i < 4; i++)
		if (end >= widths[i] && quote_at(text, end - widths[i]) == widths[i])
			return widths[i];
	return 0;
}

static size_t blanks_from(struct span text, size_t at)
{
	size_t limit = at + BACK_MAX;
	size_t n;

	while (at < limit && (n = blank_at(text, at)) > 0)
		at += n;
	return at;
}

static size_t blank_before(struct span text, size_t end)
{
	if (end > 0 && is_in(text.data[end - 1], " \t\n"))
		return 1;
	return end >= 4 && blank_at(text, end - 4) == 4 ? 4 : 0;
}

static bool ends_blank(struct span text, size_t end)
{
	return end == 0 || is_in(text.data[end - 1], "=([,|;") || blank_before(text, end) > 0;
}

/* The word before a place, which begins one itself; empty if there is none near. */
static struct span word_before(struct span text, size_t at)
{
	size_t end = at, from, n;

	while ((n = blank_before(text, end)) > 0 && at - end < BACK_MAX)
		end -= n;
	for (from = end; from > 0 && end - from < BACK_MAX && !blank_before(text, from);)
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

static bool ends_name(char c)
{
	return shape_is_word(c) || is_in(c, "_-\"'");
}

static bool find_name(struct span text, size_t at, struct named_value *ret)
{
	size_t closed = quote_before(text, at);
	size_t end = at - closed;
	size_t from = end;
	size_t opened;

	while (from > 0 && end - from < BACK_MAX &&
	       (shape_is_word(text.data[from - 1]) || is_in(text.data[from - 1], "_-")))
		from--;
	from = without_escape(text, from, end);
	for (ret->dashes = 0; from < end && text.data[from] == '-'; from++)
		ret->dashes++;
	ret->name = (struct span){ text.data + from, end - from };
	opened = quote_before(text, from - ret->dashes);
	ret->quote = opened > 0 ? from - ret->dashes - opened : SIZE_MAX;
	return end > from && (closed == 0 || opened == closed);
}

static bool is_option(struct span text, const struct named_value *n)
{
	size_t before = (size_t)(n->name.data - text.data) - n->dashes;

	return n->dashes > 0 && (n->quote != SIZE_MAX || ends_blank(text, before));
}

/* ---- what parts them ---- */

/* Behind '=' or ':'; 0: it compares, scopes or begins the address of a URL. */
static size_t behind_sign(struct span text, size_t at, bool spaced)
{
	char c = byte_at(text, at), next = byte_at(text, at + 1);

	if (at > 0 && is_in(text.data[at - 1], "=!<>:"))
		return 0;
	if (c == '=')
		return next == '='   ? 0
		       : next == '>' ? blanks_from(text, at + 2)
		       : spaced      ? blanks_from(text, at + 1)
				     : at + 1;
	if (c == ':')
		return next == ':' || (next == '/' && byte_at(text, at + 2) == '/')
			       ? 0
			       : blanks_from(text, at + (next == '=' ? 2 : 1));
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

static size_t behind_blank(const struct secret_rules *rules, struct span text, size_t at,
			   struct named_value *n)
{
	size_t i = blanks_from(text, at);

	if (is_in(byte_at(text, i), "=:")) {
		n->spaced = true;
		return behind_sign(text, i, true);
	}
	return is_option(text, n) || is_set(rules, text, n) || is_behind(rules, text, n) ? i : 0;
}

/* Where the value begins, 0 for none. */
static size_t behind(const struct secret_rules *rules, struct span text, size_t at,
		     struct named_value *n)
{
	size_t i;

	switch (text.data[at]) {
	case ',': /* ['--api-key', 'x'] */
		i = blanks_from(text, at + 1);
		return is_option(text, n) && n->quote != SIZE_MAX && quote_at(text, i) ? i : 0;
	case '>':
		return n->name.data > text.data && n->name.data[-1] == '<' ? at + 1 : 0;
	case '%':
		return byte_at(text, at + 1) == '3' && (byte_at(text, at + 2) | 32) == 'd' ? at + 3
											   : 0;
	case ' ':
	case '\t':
	case '\\':
		return behind_blank(rules, text, at, n);
	default:
		return behind_sign(text, at, false);
	}
}

/* ---- the value ---- */

static bool ends_value(struct span text, size_t at)
{
	char c = text.data[at];

	if (c == ',')
		return at + 1 == text.len || is_in(text.data[at + 1], " \t\n\"'");
	return is_in(c, " \t\n;&<") || quote_at(text, at) > 0 || blank_at(text, at) > 0;
}

static size_t up_to_quote(struct span text, size_t at, size_t opened)
{
	size_t n = quote_at(text, opened);
	size_t end = at;

	while (end < text.len && text.data[end] != '\n' &&
	       (quote_at(text, end) != n || memcmp(text.data + end, text.data + opened, n) != 0))
		end++;
	return end;
}

/* Up to the quote that was opened, before the name or at the value; else as far as words go. */
static struct span value_of(struct span text, const struct named_value *n)
{
	size_t start = n->start;
	size_t quote = quote_at(text, start);
	bool around = quote == 0 && n->quote != SIZE_MAX && quote_before(text, n->start) == 0 &&
		      text.data[start - 1] != ',' &&
		      !quote_at(text, (size_t)(n->name.data - text.data) + n->name.len);
	size_t end = start + quote;

	if (quote > 0)
		end = up_to_quote(text, end, start);
	else if (around)
		end = up_to_quote(text, start, n->quote);
	else
		while (end < text.len && !ends_value(text, end))
			end++;
	start += quote;
	while (quote == 0 && end > start && is_in(text.data[end - 1], ",)]}"))
		end--;
	return (struct span){ text.data + start, end - start };
}

/* The rest of the line; of a word whose blanks are escaped, the rest of the word. */
static struct span line_of(struct span text, const struct named_value *n)
{
	bool word = byte_at(text, n->start - 1) != ' ' && n->start >= 4 &&
		    blank_at(text, n->start - 4) == 4;
	size_t end = n->start;

	if (quote_at(text, n->start))
		return value_of(text, n);
	if (n->quote != SIZE_MAX)
		end = up_to_quote(text, end, n->quote);
	else
		while (end < text.len && !is_in(text.data[end], word ? " \t\n" : "\n\"'"))
			end++;
	return (struct span){ text.data + n->start, end - n->start };
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
		return is_in(v.data[1], "{(") || capitals == v.len;
	return v.len == 14 && span_starts(v, "token-") && shape_run(v, 6, "") == 8;
}

/* A line of a traceback: token = self.decode(ids), password=password. */
static bool is_code(struct span v, struct span name)
{
	size_t n = 0;

	while (n < v.len && (islower((unsigned char)v.data[n]) || is_in(v.data[n], "_.")))
		n++;
	if (n == v.len && name.len >= n && strncasecmp(name.data + name.len - n, v.data, n) == 0)
		return true;
	return n > 2 && n + 1 < v.len && is_in(v.data[n], "([") &&
	       (isalpha((unsigned char)v.data[n + 1]) || is_in(v.data[n + 1], "_)]\"'"));
}

static bool is_harmless(const struct secret_rules *rules, struct span v, struct span name)
{
	if (v.len == 0 || is_number(v) || is_stand_in(v) || is_code(v, name))
		return true;
	for (const struct secret_rule *r = rules->by_form[RULE_HARMLESS]; r; r = r->next) {
		size_t n = r->text.len;

		if (r->text.data[n - 1] == '*'
			    ? v.len + 1 >= n && memcmp(v.data, r->text.data, n - 1) == 0
			    : v.len == n && strncasecmp(v.data, r->text.data, n) == 0)
			return true;
	}
	return false;
}

/* pwd=/srv/x is where a program works. */
static bool is_path(struct span v)
{
	return is_in(v.data[0], "/.~") || (v.len > 2 && v.data[1] == ':' && v.data[2] == '\\');
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
		    !shape_is_word(byte_at(text, at + r->more.len)))
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
	for (size_t i = at; letters && i > 0 && at - i < BACK_MAX; i--) {
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
	return NULL;
}

static struct span judge_header(const struct secret_rules *rules, const struct secret_rule *header,
				struct span text, const struct named_value *n)
{
	size_t left = text.len - n->start;
	struct span near = { text.data + n->start, left < BACK_MAX ? left : BACK_MAX };
	struct span v;

	if (header->more.len > 0 &&
	    (!span_line(&near, &v) || span_find(v, header->more) == SIZE_MAX))
		return (struct span){ text.data, 0 };
	v = line_of(text, n);
	if (v.len < BACK_MAX && is_harmless(rules, v, n->name))
		v.len = 0;
	return v;
}

/* "key=" and its like: letters mixed as no word is, and of an option also a long number. */
static struct span weak_value(struct span text, const struct named_value *n)
{
	size_t start = n->start + quote_at(text, n->start);
	size_t len = shape_run(text, start, "+/=");
	struct span v = { text.data + start, len };

	if (start + len < text.len && !ends_value(text, start + len))
		v.len = 0;
	if (!shape_is_random(v) && !(is_option(text, n) && len >= 32))
		v.len = 0; /* wandb login --key has forty hexadecimal digits */
	return v;
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
	bool option =
		is_option(text, n) && is_listed_option(rules, text, dash, n->dashes + n->name.len);
	enum secret_name says;
	struct span v;

	if (header)
		return judge_header(rules, header, text, n);
	says = option ? SECRET_NAME_SURE : secret_names_judge(&rules->names, n->name);
	if (says == SECRET_NAME_NONE)
		return none;
	if (says == SECRET_NAME_WEAK)
		return weak_value(text, n);
	v = value_of(text, n);
	if (option || v.len >= BACK_MAX)
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

	if (at == 0 || !ends_name(text.data[at - 1]) || !find_name(text, at, &n))
		return 0; /* most blanks and colons are passed over by one byte */
	n.start = behind(rules, text, at, &n);
	if (n.start == 0 || n.start >= text.len)
		return 0;
	listed = text.data[at] == '=' ? listed_value(rules, n.name) : NULL;
	v = listed ? value_of(text, &n) : judge(rules, text, &n);
	*ret_start = (size_t)(v.data - text.data);
	*ret_kind = listed ? listed->kind : SECRET_TOKEN;
	return v.len;
}

size_t shape_glued(const struct secret_rules *rules, struct span text, size_t at)
{
	size_t end = at + 1;

	if (at < 2 || text.data[at - 1] != '-' || !ends_blank(text, at - 1))
		return 0;
	while (end < text.len && end - at < BACK_MAX && !ends_value(text, end))
		end++;
	return end > at + 3 && is_listed_option(rules, text, at - 1, 2) ? end - at : 0;
}
