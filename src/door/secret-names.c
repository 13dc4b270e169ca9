#include "door/secret-names.h"

#include <ctype.h>
#include <string.h>

#define NAME_MAX_LOOKED 256
#define WHOLE_MIN       5 /* letters of a word that may end a longer one, as in MYTOKEN */

extern const char data_secrets[];

bool secret_rows_next(struct span *rest, struct secret_row *ret)
{
	struct span line;

	if (!rest->data)
		*rest = span_of(data_secrets);
	while (span_line(rest, &line)) {
		if (line.len == 0 || line.data[0] == '#')
			continue;
		*ret = (struct secret_row){ { "", 0 }, { "", 0 }, { "", 0 } };
		if (span_cut(&line, '\t', &ret->kind) && span_cut(&line, '\t', &ret->text))
			span_cut(&line, '\t', &ret->more);
		return true;
	}
	return false;
}

static uint8_t *end_of(struct secret_names *names, char letter)
{
	return &names->by_end[(unsigned char)letter % 32];
}

bool secret_names_load(struct secret_names *ret)
{
	struct span rest = { NULL, 0 };
	struct secret_row row;

	memset(ret, 0, sizeof(*ret));
	while (secret_rows_next(&rest, &row)) {
		bool except = span_is(row.kind, "except");
		struct secret_word *w = &ret->words[ret->count];
		uint8_t *last;

		if (!except && !span_is(row.kind, "word"))
			break; /* they stand first in the table */
		if (ret->count == SECRET_WORDS_MAX || row.text.len == 0)
			return false;
		last = end_of(ret, row.text.data[row.text.len - 1]);
		*w = (struct secret_word){ row.text, except ? 'e' : row.more.data[0], *last };
		*last = (uint8_t)++ret->count;
	}
	return ret->count > 0;
}

/* ---- a name in parts: "_SECRET_KEY_" of secretKey, SECRET-KEY and secret.key ---- */

struct parts {
	char text[2 * NAME_MAX_LOOKED + 4];
	size_t len;
};

static bool begins_part(const char *p, size_t at, size_t len)
{
	if (at == 0 || !isupper((unsigned char)p[at]))
		return false;
	return islower((unsigned char)p[at - 1]) ||
	       (isupper((unsigned char)p[at - 1]) && at + 1 < len &&
		islower((unsigned char)p[at + 1]));
}

static void add_parting(struct parts *ret)
{
	if (ret->len == 0 || ret->text[ret->len - 1] != '_')
		ret->text[ret->len++] = '_';
}

static void parts_of(struct span name, struct parts *ret)
{
	size_t from = name.len > NAME_MAX_LOOKED ? name.len - NAME_MAX_LOOKED : 0;

	ret->len = 0;
	add_parting(ret);
	for (size_t i = from; i < name.len; i++) {
		unsigned char c = (unsigned char)name.data[i];

		if (!isalnum(c) || c >= 0x80) {
			add_parting(ret);
			continue;
		}
		if (begins_part(name.data, i, name.len))
			add_parting(ret);
		ret->text[ret->len++] = (char)toupper(c);
	}
	add_parting(ret);
}

/* The words of "_A_B_" that end at `end`, which is the place of a '_'. */
static bool ends_word(const struct parts *p, size_t end, const struct secret_word *w)
{
	size_t n = w->text.len;

	if (end < n + 1 || memcmp(p->text + end - n, w->text.data, n) != 0)
		return false;
	return p->text[end - n - 1] == '_' || (n >= WHOLE_MIN && w->where != 'e');
}

/* Digits behind a part, and what only counts, do not take its meaning: API_KEY_2, TOKEN1. */
static size_t without_tail(const struct parts *p, size_t end)
{
	static const char tail[] = "_ID";

	for (;;) {
		size_t n = end;

		while (n > 1 && isdigit((unsigned char)p->text[n - 1]))
			n--;
		if (n < end && p->text[n - 1] == '_')
			n--;
		if (n > 4 && memcmp(p->text + n - 3, tail, 3) == 0)
			n -= 3;
		if (n == end || n < 2)
			return end;
		end = n;
	}
}

/* Whether an exception covers the word [at, end): "_EOS_TOKEN_". */
static bool is_excepted(const struct secret_names *names, const struct parts *p, size_t end)
{
	for (size_t i = 0; i < names->count; i++) {
		const struct secret_word *w = &names->words[i];

		if (w->where == 'e' && ends_word(p, end, w))
			return true;
	}
	return false;
}

/* `alone`: the name has no other part. */
static enum secret_name weight_of(const struct secret_word *w, bool last, bool alone)
{
	switch (w->where) {
	case 'a':
		return SECRET_NAME_SURE;
	case 'l':
		return last ? SECRET_NAME_SURE : SECRET_NAME_NONE;
	case 'o':
		return last && alone ? SECRET_NAME_WEAK : SECRET_NAME_NONE;
	case 'w':
		return !last ? SECRET_NAME_NONE : alone ? SECRET_NAME_WEAK : SECRET_NAME_SURE;
	default:
		return SECRET_NAME_NONE;
	}
}

static enum secret_name judge_part(const struct secret_names *names, const struct parts *p,
				   size_t end, bool last)
{
	enum secret_name best = SECRET_NAME_NONE;
	uint8_t i = names->by_end[(unsigned char)p->text[end - 1] % 32];

	for (; i > 0; i = names->words[i - 1].before) {
		const struct secret_word *w = &names->words[i - 1];
		enum secret_name one;

		if (w->where == 'e' || !ends_word(p, end, w))
			continue;
		one = weight_of(w, last, end == w->text.len + 1);
		best = one > best ? one : best;
	}
	return best != SECRET_NAME_NONE && is_excepted(names, p, end) ? SECRET_NAME_NONE : best;
}

enum secret_name secret_names_judge(const struct secret_names *names, struct span name)
{
	struct parts p;
	enum secret_name best = SECRET_NAME_NONE;
	size_t last;

	parts_of(name, &p);
	if (p.len < 3)
		return SECRET_NAME_NONE;
	last = without_tail(&p, p.len - 1);
	for (size_t end = 2; end <= last; end++) {
		enum secret_name one = SECRET_NAME_NONE;

		if (end == last || p.text[end] == '_')
			one = judge_part(names, &p, end, end == last);
		best = one > best ? one : best;
	}
	return best;
}

bool secret_names_any(const struct secret_names *names, struct span name)
{
	struct parts p;

	parts_of(name, &p);
	for (size_t end = 2; end < p.len; end++)
		if (p.text[end] == '_')
			for (size_t i = 0; i < names->count; i++)
				if (!strchr("eo", names->words[i].where) &&
				    ends_word(&p, end, &names->words[i]))
					return true;
	return false;
}
