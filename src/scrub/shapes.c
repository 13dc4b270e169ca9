#include "scrub/shapes.h"

#include <ctype.h>
#include <string.h>

#include "base/array.h"

bool shape_is_word(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_hex(char c)
{
	return isxdigit((unsigned char)c) != 0;
}

static bool is_octal(char c)
{
	return c >= '0' && c <= '7';
}

static bool is_hex_run(const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!is_hex(p[i]))
			return false;
	return true;
}

size_t shape_escape(struct span text, size_t at)
{
	const char *p = text.data + at;

	if (text.len - at < 4 || p[0] != '\\')
		return 0;
	if (p[1] == 'u' && text.len - at >= 6 && is_hex_run(p + 2, 4))
		return 6;
	if (p[1] == 'x')
		return is_hex(p[2]) && is_hex(p[3]) ? 4 : 0;
	return is_octal(p[1]) && is_octal(p[2]) && is_octal(p[3]) ? 4 : 0; /* of mountinfo */
}

bool shape_begins(struct span text, size_t at)
{
	unsigned char c = (unsigned char)text.data[at];

	if (c <= ' ' || c == 0x7f)
		return false;
	return at == 0 || !shape_is_word(text.data[at]) || !shape_is_word(text.data[at - 1]) ||
	       (at >= 4 && shape_escape(text, at - 4) == 4) ||
	       (at >= 6 && shape_escape(text, at - 6) == 6);
}

size_t shape_run(struct span text, size_t at, const char *also)
{
	size_t n = 0;

	while (at + n < text.len && (shape_is_word(text.data[at + n]) ||
				     (text.data[at + n] && strchr(also, text.data[at + n]))))
		n++;
	return n;
}

/*
 * Judged by its beginning, so that a line of a million underscores takes no
 * longer than any other: every one of them may begin a word.
 */
#define WINDOW ((size_t)256)

static struct span window(struct span text, size_t at)
{
	return (struct span){ text.data, text.len - at > WINDOW ? at + WINDOW : text.len };
}

/* In "a_b-c" at b and c: what is joined was judged from its beginning. */
static bool is_joined(struct span text, size_t at)
{
	return at > 1 && strchr("_-+", text.data[at - 1]) &&
	       (shape_is_word(text.data[at - 2]) || text.data[at - 2] == '_');
}

static bool is_preceded(struct span text, size_t at, const char *by)
{
	size_t n = strlen(by);

	return at >= n && strncasecmp(text.data + at - n, by, n) == 0;
}

/* "UUID=ABCD-1234" of a FAT, "PARTUUID=1a2b3c4d-02" of a disk without GPT. */
static size_t short_uuid(struct span text, size_t at)
{
	size_t digits = 0;
	size_t n;

	if (!is_preceded(text, at, "uuid=") && !is_preceded(text, at, "uuid/"))
		return 0;
	n = shape_run(window(text, at), at, "-");
	for (size_t i = 0; i < n; i++)
		digits += is_hex(text.data[at + i]);
	return n >= 6 && n <= 40 && digits + 4 >= n && digits > 4 ? n : 0;
}

/* Windows' classes of devices have the same numbers on every machine, and name no one. */
static bool is_device_class(const char *uuid)
{
	static const char common[] = "-e325-11ce-bfc1-08002be10318";

	return strncasecmp(uuid, "4d36e9", 6) == 0 &&
	       strncasecmp(uuid + 8, common, sizeof(common) - 1) == 0;
}

size_t shape_uuid(struct span text, size_t at)
{
	static const size_t groups[] = { 8, 4, 4, 4, 12 };
	const char *p = text.data + at;
	size_t n = 0;

	if (shape_run(text, at, "") == 32 && is_hex_run(p, 32))
		return 32;
	for (size_t i = 0; i < COUNT(groups); i++) {
		if (at + n + groups[i] > text.len || !is_hex_run(p + n, groups[i]))
			return short_uuid(text, at);
		n += groups[i];
		if (i < 4 && (at + n >= text.len || p[n++] != '-'))
			return short_uuid(text, at);
	}
	if (is_device_class(p))
		return 0;
	return at + n < text.len && shape_is_word(p[n]) ? short_uuid(text, at) : n;
}

size_t shape_mac(struct span text, size_t at)
{
	const char *p = text.data + at;
	size_t left = text.len - at;
	size_t pairs = 0;
	size_t n = 0;

	while (left >= n + 2 && pairs < 32 && is_hex_run(p + n, 2)) {
		pairs++;
		n += 2;
		if (left < n + 3 || (p[n] != ':' && p[n] != '-') || p[n] != p[2])
			break;
		n++;
	}
	if (pairs < 6 || p[n - 1] == p[2])
		return 0;
	return left > n && (shape_is_word(p[n]) || p[n] == p[2]) ? 0 : n;
}

/* Text after a mark is random: hf_transformers has neither digits nor twenty letters in one. */
static bool is_random_body(const char *p, size_t n)
{
	size_t stretch = 0;

	for (size_t i = 0; i < n; i++) {
		if (isdigit((unsigned char)p[i]) || isupper((unsigned char)p[i]))
			return true;
		stretch = islower((unsigned char)p[i]) ? stretch + 1 : 0;
		if (stretch >= 20)
			return true;
	}
	return false;
}

static size_t marked(const struct secret_rule *r, struct span text, size_t at)
{
	size_t body = at + r->text.len;
	size_t n = shape_run(window(text, body), body, r->also);

	if (n < r->least || !is_random_body(text.data + body, n))
		return 0;
	return r->text.len + shape_run(text, body, r->also);
}

static int class_of(char c)
{
	return isupper((unsigned char)c)   ? 1
	       : islower((unsigned char)c) ? 2
	       : isdigit((unsigned char)c) ? 3
					   : 0;
}

/*
 * One stretch of 16 or more in which capitals, small letters and digits take
 * turns. "Meta-Llama-3-70B-Instruct-AWQ" and "ROCmBuildForGfx1100Targets" do
 * not: the first has no long stretch, the second one group of digits. Nor does
 * v00001002d0000744Csv00001DA2 of a modalias, which is digits for the most part.
 */
static bool is_mixed(const char *p, size_t n)
{
	size_t of[4] = { 0 };
	size_t digit_groups = 0;
	size_t turns = 0;

	for (size_t i = 0; i < n; i++) {
		int class = class_of(p[i]);
		int before = i > 0 ? class_of(p[i - 1]) : 0;

		of[class]++;
		digit_groups += class == 3 && before != 3;
		turns += i > 0 && class != before;
	}
	return n >= 16 && of[1] > 1 && of[2] > 1 && of[3] > 1 && digit_groups > 1 && turns > 6 &&
	       2 * of[3] <= n;
}

/* A symbol of C++: _ZN2at6native12_GLOBAL__N_1... */
static bool is_symbol(struct span text, size_t at)
{
	size_t z = at + (text.data[at] == '_');

	while (z < text.len && z < at + 3 && text.data[z] == '_')
		z++;
	return z > 0 && z + 1 < text.len && text.data[z] == 'Z' && text.data[z - 1] == '_' &&
	       strchr("NKLSTG0123456789", text.data[z + 1]);
}

static size_t random_run(struct span text, size_t at)
{
	bool joined = is_joined(text, at);
	size_t n = shape_run(window(text, at), at, joined ? "" : "_-+");
	size_t start = 0;

	if (n < 24 || is_symbol(text, at))
		return 0;
	for (size_t i = 0; i <= n; i++) {
		if (i < n && text.data[at + i] != '_' && text.data[at + i] != '-')
			continue;
		if (is_mixed(text.data + at + start, i - start)) {
			n = shape_run(text, at, "_-+");
			while (at + n < text.len && text.data[at + n] == '=')
				n++; /* the padding of base64 after it */
			return n;
		}
		start = i + 1;
	}
	return 0;
}

/* Forty or more digits of base64, slashes too: the secret key of an AWS account, a line of a key. */
static size_t base64_run(struct span text, size_t at)
{
	size_t of[4] = { 0 };
	size_t turns = 0, slashes = 0;
	size_t n = shape_run(window(text, at), at, "/+");

	if (n < 40 || is_joined(text, at) || (at > 0 && strchr("/.~", text.data[at - 1])) ||
	    (at + n < text.len && n < WINDOW && strchr("._-", text.data[at + n])))
		return 0;
	for (size_t i = 0; i < n; i++) {
		of[class_of(text.data[at + i])]++;
		turns += i > 0 && class_of(text.data[at + i]) != class_of(text.data[at + i - 1]);
		slashes += text.data[at + i] == '/';
	}
	if (of[1] <= 5 || of[2] <= 5 || of[3] == 0 || turns < n / 3 || slashes > n / 12)
		return 0; /* a path */
	return shape_run(text, at, "/+=");
}

bool shape_is_random(struct span v)
{
	size_t turns = 0, digits = 0;

	if (v.len < 8 || is_hex_run(v.data, v.len))
		return false; /* short, or a checksum */
	for (size_t i = 0; i < v.len; i++) {
		if (!shape_is_word(v.data[i]) && !strchr("+/=", v.data[i]))
			return false;
		digits += class_of(v.data[i]) == 3;
		turns += i > 0 && class_of(v.data[i]) != class_of(v.data[i - 1]);
	}
	return turns >= 4 && digits < v.len;
}

bool shape_is_mixed(struct span v, size_t least)
{
	size_t of[4] = { 0 };
	size_t turns = 0;

	for (size_t i = 0; i < v.len; i++) {
		of[class_of(v.data[i])]++;
		turns += i > 0 && class_of(v.data[i]) != class_of(v.data[i - 1]);
	}
	return v.len >= least && of[1] > 0 && of[2] > 0 && of[3] > 1 && turns > 5;
}

/* "Bearer x", "Basic x": the credential is no word of a sentence. */
static size_t behind_scheme(const struct secret_rule *r, struct span text, size_t at,
			    size_t *ret_start)
{
	size_t start = at + r->text.len;
	size_t capitals = 0, small = 0;
	size_t n;

	if (start >= text.len || shape_is_word(text.data[start]))
		return 0;
	if (text.data[start - 1] == '(' && !shape_is_in(text.data[start], "\"'"))
		return 0; /* only a text is an argument here, not the name of one */
	if (text.len - start > 4 && memcmp(text.data + start, "\\x20", 4) == 0)
		start += 4;
	while (start < text.len && text.data[start] == ' ')
		start++;
	start += shape_is_in(shape_byte(text, start), "\"'");
	n = shape_run(text, start, "-._~+/=");
	for (size_t i = 0; i < n; i++) {
		capitals += i > 0 && class_of(text.data[start + i]) != 2 &&
			    shape_is_word(text.data[start + i]);
		small += text.data[start + i] == '=';
	}
	*ret_start = start;
	return n >= 6 && (capitals > 0 || small > 0 || n >= 20) ? n : 0;
}

/* The part after the beginning of a webhook's URL. */
static size_t behind_url(const struct secret_rule *r, struct span text, size_t at,
			 size_t *ret_start)
{
	*ret_start = at + r->text.len;
	return shape_run(text, *ret_start, "/-_.~:@%+");
}

#define KEY_MAX 32768 /* bytes of a private key: 16384 bits have 13,000 */

/* From the first letter behind "-----BEGIN ... KEY-----" to the dashes of its end. */
static size_t private_key(const struct secret_rule *r, struct span text, size_t at,
			  size_t *ret_start)
{
	struct span near = { text.data + at, text.len - at > 80 ? 80 : text.len - at };
	size_t more = span_find(near, r->more);
	struct span rest;
	size_t end;

	if (at < 5 || memcmp(text.data + at - 5, "-----", 5) != 0 || more == SIZE_MAX)
		return 0;
	*ret_start = at + more + r->more.len;
	while (*ret_start < text.len && text.data[*ret_start] == '-')
		++*ret_start;
	rest = (struct span){ text.data + *ret_start, text.len - *ret_start };
	rest.len = rest.len > KEY_MAX ? KEY_MAX : rest.len;
	end = span_find(rest, SPAN_LITERAL("-----END"));
	rest.len = end == SIZE_MAX ? shape_run(rest, 0, "+/=\n\r\t\\") : end;
	rest = span_trim(rest); /* the line's end is the text's */
	*ret_start = (size_t)(rest.data - text.data);
	return rest.len;
}

static size_t by_rule(const struct secret_rules *rules, const struct secret_rule *r,
		      struct span text, size_t at, size_t *ret_start)
{
	switch (r->form) {
	case RULE_MARK:
		return marked(r, text, at);
	case RULE_SCHEME:
		return behind_scheme(r, text, at, ret_start);
	case RULE_URL:
		return behind_url(r, text, at, ret_start);
	case RULE_BLOCK:
		return private_key(r, text, at, ret_start);
	case RULE_ARGUMENT:
		return shape_argument(rules, r, text, at, ret_start);
	case RULE_PIPED:
		return shape_piped(r, text, at, ret_start);
	default:
		return 0;
	}
}

size_t shape_token(const struct secret_rules *rules, struct span text, size_t at, size_t *ret_start)
{
	const struct secret_rule *r = rules->by_first[tolower((unsigned char)text.data[at])];
	size_t n;

	for (; r; r = r->next) {
		*ret_start = at;
		n = secret_rule_is_at(r, text, at) ? by_rule(rules, r, text, at, ret_start) : 0;
		if (n > 0)
			return n;
	}
	*ret_start = at;
	n = random_run(text, at);
	return n ? n : base64_run(text, at);
}

size_t shape_sign(const struct secret_rules *rules, struct span text, size_t at)
{
	const struct secret_rule *r = rules->by_first[(unsigned char)text.data[at]];
	size_t n = 0;

	for (; r && n == 0; r = r->next)
		n = r->form == RULE_MARK && secret_rule_is_at(r, text, at) ? marked(r, text, at)
									   : 0;
	return n;
}

/* A digest has an algorithm's size: fewer bytes would be a password with a strange name. */
size_t shape_digest(const struct secret_rules *rules, struct span text, size_t at)
{
	const struct secret_rule *r = rules->by_first[tolower((unsigned char)text.data[at])];

	for (; r; r = r->next) {
		size_t start = at + r->text.len;
		size_t n;

		if (r->form != RULE_DIGEST || !secret_rule_is_at(r, text, at) ||
		    start >= text.len || !strchr("=:-", text.data[start]))
			continue;
		n = shape_run(window(text, start + 1), start + 1, "+/=_-");
		if (n >= 22 && n <= 130)
			return start + 1 + n - at;
	}
	return 0;
}

size_t shape_login(struct span text, size_t at)
{
	size_t found = 0;

	if (at < 3 || memcmp(text.data + at - 3, "://", 3) != 0)
		return 0;
	for (size_t n = 0; at + n < text.len && !strchr("/ \t\n\"'<>", text.data[at + n]); n++)
		if (text.data[at + n] == '@')
			found = n;
	return found;
}
