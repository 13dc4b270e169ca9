#include "scrub/find-secret.h"

#include <ctype.h>
#include <string.h>

#include "scrub/glyph.h"
#include "scrub/shapes.h"

struct finder {
	const struct secret_rules *rules;
	const struct secrets *secrets; /* or NULL */
	struct span text;
};

static bool found(struct secret_found *ret, size_t start, size_t len, enum secret_kind kind)
{
	*ret = (struct secret_found){ .start = start, .len = len, .kind = kind };
	return len > 0;
}

static bool found_as(struct secret_found *ret, size_t at, size_t len, enum secret_kind kind,
		     enum find_form form)
{
	found(ret, at, len, kind);
	ret->form = form;
	return len > 0;
}

/* Digits without 0x, zeros in front and capitals: false if there are none or too many. */
static bool plain_digits(struct span word, char ret[static 24], size_t *ret_len)
{
	if (word.len > 2 && word.data[0] == '0' && (word.data[1] | 32) == 'x')
		word = (struct span){ word.data + 2, word.len - 2 };
	while (word.len > 0 && word.data[0] == '0')
		word = (struct span){ word.data + 1, word.len - 1 };
	if (word.len == 0 || word.len > 20)
		return false;
	for (size_t i = 0; i < word.len; i++)
		ret[i] = (char)tolower((unsigned char)word.data[i]);
	*ret_len = word.len;
	return true;
}

static bool find_number(const struct finder *f, size_t at, size_t len, struct secret_found *ret)
{
	const uint64_t *id;
	char digits[24];
	size_t n;

	if (!f->secrets || len < 6 ||
	    !plain_digits((struct span){ f->text.data + at, len }, digits, &n))
		return false;
	for (size_t hex = 0; hex < 2; hex++)
		if ((id = map_find(&f->secrets->numbers[hex], (struct span){ digits, n }))) {
			found_as(ret, at, len, SECRET_ID, FIND_NUMBER);
			ret->id = *id;
			ret->hex = hex;
			return true;
		}
	return false;
}

static size_t card_name(struct span text, size_t at)
{
	const char *p = text.data + at;

	if (shape_run(text, at, "") != 15 || (memcmp(p, "enx", 3) != 0 && memcmp(p, "wlx", 3) != 0))
		return 0;
	for (size_t i = 3; i < 15; i++)
		if (!isxdigit((unsigned char)p[i]))
			return 0;
	return 15;
}

/* A chip's serial may be its id: then it stays a number wherever it stands. */
static bool find_label(const struct finder *f, size_t at, struct secret_found *ret)
{
	enum secret_kind kind;
	size_t start;
	size_t n = shape_label(f->rules, f->text, at, &start, &kind);

	return n > 0 && (find_number(f, start, n, ret) || found(ret, start, n, kind));
}

/* Secrets that are known by their form. */
static bool find_shape(const struct finder *f, size_t at, struct secret_found *ret)
{
	struct span text = f->text;
	size_t start;
	size_t n;

	if (found_as(ret, at, shape_uuid(text, at), SECRET_UUID, FIND_UUID) ||
	    found_as(ret, at, shape_mac(text, at), SECRET_HOST, FIND_MAC) ||
	    found(ret, at, shape_guid(text, at), SECRET_HOST))
		return true;
	n = shape_token(f->rules, text, at, &start);
	if (found(ret, start, n, SECRET_TOKEN))
		return true;
	n = shape_glued(f->rules, text, at);
	if (n > 0)
		return found(ret, at + 1, n - 1, SECRET_TOKEN);
	if (find_label(f, at, ret) || found(ret, at, shape_mail(text, at), SECRET_USER) ||
	    found(ret, at, shape_ipv4(text, at), SECRET_HOST) ||
	    found(ret, at, shape_ipv6(text, at), SECRET_HOST))
		return true;
	return found_as(ret, at, card_name(text, at), SECRET_HOST, FIND_CARD);
}

static bool find_name(const struct finder *f, size_t at, struct secret_found *ret)
{
	const struct secret *secret = f->secrets ? secrets_at(f->secrets, f->text, at) : NULL;

	return secret && found(ret, at, secret->text.len, secret->kind);
}

/* A name that its place shows, or the login of a URL. */
static bool find_place(const struct finder *f, size_t at, struct secret_found *ret)
{
	size_t start;
	size_t n;
	const struct secret_rule *place = secrets_place(f->rules, f->text, at, &start, &n);

	if (place)
		return found(ret, start, n, place->kind);
	if (f->text.data[at] != '/')
		return false;
	return found(ret, at + 1, shape_login(f->text, at + 1), SECRET_TOKEN);
}

static bool find_value(const struct finder *f, size_t at, struct secret_found *ret)
{
	enum secret_kind kind;
	size_t start;
	size_t n = shape_value(f->rules, f->text, at, &start, &kind);

	return n > 0 && found(ret, start, n, kind);
}

/* A word begins here; *ret_next is the place to go on if it is no secret. */
static bool find_word(const struct finder *f, size_t at, size_t *ret_next, struct secret_found *ret)
{
	size_t n = shape_run(f->text, at, "");
	size_t digest = n > 0 ? shape_digest(f->rules, f->text, at) : 0;

	*ret_next = at + (digest ? digest : n ? n : 1);
	if (digest)
		return false;
	return (n > 0 && (find_number(f, at, n, ret) || find_shape(f, at, ret))) ||
	       find_name(f, at, ret);
}

static bool find_sign(const struct finder *f, size_t at, size_t *ret_next, struct secret_found *ret)
{
	char c;

	*ret_next = at + 1;
	switch (f->text.data[at]) {
	case '\\':
		*ret_next = at + glyph_at(f->text, at, &c); /* a word follows */
		return find_place(f, at, ret) || find_value(f, at, ret);
	case '%':
		return find_place(f, at, ret) || find_value(f, at, ret);
	case '/':
		return find_place(f, at, ret);
	case '=':
	case ':':
	case ' ':
	case '\t':
	case ',':
	case '>':
	case '|':
	case '&':
	case '(':
		return find_value(f, at, ret);
	default:
		if ((unsigned char)f->text.data[at] >= 0x80 && find_value(f, at, ret))
			return true;
		return (unsigned char)f->text.data[at] > ' ' && f->text.data[at] != 0x7f &&
		       (found(ret, at, shape_sign(f->rules, f->text, at), SECRET_TOKEN) ||
			find_name(f, at, ret));
	}
}

bool find_secret(const struct secret_rules *rules, const struct secrets *secrets, struct span text,
		 size_t from, struct secret_found *ret)
{
	struct finder f = { rules, secrets, text };

	while (from < text.len) {
		bool is = shape_is_word(text.data[from]) && shape_begins(text, from)
				  ? find_word(&f, from, &from, ret)
				  : find_sign(&f, from, &from, ret);

		if (is)
			return true;
	}
	return false;
}
