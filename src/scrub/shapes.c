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

static bool is_behind_escape(struct span text, size_t at)
{
	const char *p = text.data + at;

	if (at < 4 || p[-4] != '\\')
		return false;
	if (p[-3] == 'x')
		return is_hex(p[-2]) && is_hex(p[-1]);
	return is_octal(p[-3]) && is_octal(p[-2]) && is_octal(p[-1]); /* of mountinfo */
}

bool shape_begins(struct span text, size_t at)
{
	unsigned char c = (unsigned char)text.data[at];

	if (c <= ' ' || c == 0x7f)
		return false;
	return at == 0 || !shape_is_word(text.data[at]) || !shape_is_word(text.data[at - 1]) ||
	       is_behind_escape(text, at);
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

static bool is_hex_run(const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!is_hex(p[i]))
			return false;
	return true;
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

static const char *const token_marks[] = {
	"hf_",         "sk-",    "sk_live_", "rk_live_",  "ghp_",    "gho_",   "ghu_",
	"ghs_",        "ghr_",   "glrt-",    "glpat-",    "xoxb-",   "xoxp-",  "xoxa-",
	"xoxr-",       "xoxs-",  "xapp-",    "AKIA",      "ASIA",    "AIza",   "ya29.",
	"eyJ",         "nvapi-", "npm_",     "pypi-",     "hvs.",    "tskey-", "gsk_",
	"github_pat_", "r8_",    "pplx-",    "dckr_pat_", "dop_v1_",
};

/* What follows a mark is random: a word such as hf_transformers has neither. */
static bool has_digit_or_capital(const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (isdigit((unsigned char)p[i]) || isupper((unsigned char)p[i]))
			return true;
	return false;
}

/* Three parts of a web token; elsewhere a dot begins the ".sh" of a file. */
static const char *letters_of(const char *mark)
{
	return strcmp(mark, "eyJ") == 0 || strchr(mark, '.') ? "_-." : "_-";
}

static size_t marked_token(struct span text, size_t at)
{
	const char *p = text.data + at;

	for (size_t i = 0; i < COUNT(token_marks); i++) {
		size_t mark;
		size_t n;

		if (p[0] != token_marks[i][0])
			continue;
		mark = strlen(token_marks[i]);
		if (text.len - at <= mark || memcmp(p, token_marks[i], mark) != 0)
			continue;
		n = shape_run(window(text, at), at, letters_of(token_marks[i]));
		if (n >= mark + 12 && has_digit_or_capital(p + mark, n - mark))
			return shape_run(text, at, letters_of(token_marks[i]));
	}
	return 0;
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
 * not: the first has no long stretch, the second one group of digits.
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
	return n >= 16 && of[1] > 1 && of[2] > 1 && of[3] > 1 && digit_groups > 1 && turns > 6;
}

static size_t random_run(struct span text, size_t at)
{
	size_t n = is_joined(text, at) ? 0 : shape_run(window(text, at), at, "_-+");
	size_t start = 0;

	if (n < 24)
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

/* The secret key of an AWS account: 40 digits of base64, slashes too. */
static size_t aws_secret(struct span text, size_t at)
{
	struct span near = { text.data, text.len - at > 41 ? at + 41 : text.len };
	size_t of[4] = { 0 };
	size_t n = shape_run(near, at, "/+");

	if (n != 40 || (at > 0 && strchr("/.~", text.data[at - 1])) ||
	    (at + n < text.len && strchr("._-", text.data[at + n])))
		return 0;
	for (size_t i = 0; i < n; i++)
		of[class_of(text.data[at + i])]++;
	return of[1] > 5 && of[2] > 5 && of[3] > 0 ? n : 0;
}

size_t shape_token(struct span text, size_t at)
{
	size_t n = marked_token(text, at);

	if (n == 0)
		n = random_run(text, at);
	return n ? n : aws_secret(text, at);
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

static const struct {
	const char *name;
	bool plural; /* TOKENS is a number of them */
} secret_names[] = {
	{ "TOKEN", false },      { "SECRET", true },   { "PASSWORD", true }, { "PASSWD", false },
	{ "PASSPHRASE", true },  { "APIKEY", true },   { "API_KEY", true },  { "ACCESS_KEY", true },
	{ "PRIVATE_KEY", true }, { "AUTH_KEY", true }, { "AUTHKEY", true },  { "CREDENTIAL", true },
};

static bool is_part(const char *p, const char *name, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (toupper((unsigned char)(p[i] == '-' ? '_' : p[i])) != name[i])
			return false;
	return true;
}

static bool says_secret(const char *p, size_t n)
{
	for (size_t i = 0; i < COUNT(secret_names); i++) {
		size_t len = strlen(secret_names[i].name);

		for (size_t k = 0; k + len <= n; k++) {
			size_t end = k + len;

			if (!is_part(p + k, secret_names[i].name, len))
				continue;
			if (end < n && secret_names[i].plural &&
			    tolower((unsigned char)p[end]) == 's')
				end++;
			if (end == n || !isalpha((unsigned char)p[end]))
				return true;
		}
	}
	return false;
}

/* Where the value begins, or 0. The name ends at `end`. */
static size_t behind_name(struct span text, size_t at, size_t end)
{
	size_t i = end;

	if (at > 1 && text.data[at - 1] == '-' && text.data[at - 2] == '-' && i < text.len &&
	    text.data[i] == ' ')
		return i + 1;
	if (at > 0 && i < text.len && strchr("\"'", text.data[at - 1]) &&
	    text.data[i] == text.data[at - 1])
		i++;
	if (i < text.len && text.data[i] == '=')
		return i + 1;
	if (i >= text.len || text.data[i] != ':')
		return 0;
	for (i++; i < text.len && text.data[i] == ' ';)
		i++;
	return i;
}

/* An open quote is closed by its like: Environment="HF_TOKEN=two words" */
static size_t value_length(struct span text, size_t at, size_t *start)
{
	char quote = at > 0 && strchr("\"'", text.data[at - 1]) ? text.data[at - 1] : '\0';
	size_t end;

	if (*start < text.len && strchr("\"'", text.data[*start])) {
		quote = text.data[*start];
		(*start)++;
	}
	for (end = *start; end < text.len && text.data[end] != '\n'; end++)
		if (quote ? text.data[end] == quote : strchr(" \t;&", text.data[end]) != NULL)
			break;
	return end - *start;
}

/* A number of tokens, a switch: no secret. */
static bool is_setting(const char *p, size_t n)
{
	size_t digits = 0;

	while (digits < n && isdigit((unsigned char)p[digits]))
		digits++;
	return (digits == n && n < 7) || (n == 4 && strncasecmp(p, "true", 4) == 0) ||
	       (n == 5 && strncasecmp(p, "false", 5) == 0);
}

size_t shape_named(struct span text, size_t at, size_t *ret_start)
{
	size_t n = is_joined(text, at) ? 0 : shape_run(window(text, at), at, "_-");
	size_t start;
	size_t value;

	start = n < 5 || n == WINDOW ? 0 : behind_name(text, at, at + n);
	if (start == 0 || !says_secret(text.data + at, n))
		return 0;
	value = value_length(text, at, &start);
	if (is_setting(text.data + start, value))
		return 0;
	*ret_start = start;
	return value;
}
