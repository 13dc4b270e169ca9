#include "base/text.h"

#include <stdarg.h>
#include <string.h>

static bool is_tail(unsigned char c)
{
	return (c & 0xc0) == 0x80;
}

/* Surrogates, overlong forms and C1 controls are refused with the rest. */
void text_point(struct buf *out, uint32_t c)
{
	static const unsigned char leads[] = { 0, 0, 0xc0, 0xe0, 0xf0 };
	unsigned int n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;

	buf_char(out, (char)(leads[n] | c >> 6 * (n - 1)));
	while (--n > 0)
		buf_char(out, (char)(0x80 | (c >> 6 * (n - 1) & 0x3f)));
}

size_t text_utf8(struct span s)
{
	const unsigned char *p = (const unsigned char *)s.data;

	if (s.len >= 1 && p[0] < 0x80)
		return 1;
	if (s.len >= 2 && p[0] >= 0xc2 && p[0] <= 0xdf && is_tail(p[1]))
		return p[0] == 0xc2 && p[1] < 0xa0 ? 0 : 2;
	if (s.len >= 3 && (p[0] & 0xf0) == 0xe0 && is_tail(p[1]) && is_tail(p[2]))
		return (p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) ? 0 : 3;
	if (s.len >= 4 && p[0] >= 0xf0 && p[0] <= 0xf4 && is_tail(p[1]) && is_tail(p[2]) &&
	    is_tail(p[3]))
		return (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] > 0x8f) ? 0 : 4;
	return 0;
}

struct span text_cut(struct span s, size_t most)
{
	if (s.len <= most)
		return s;
	while (most > 0 && is_tail((unsigned char)s.data[most]))
		most--;
	return (struct span){ s.data, most };
}

struct span text_columns(struct span s, size_t most)
{
	size_t n = 0;

	for (; most > 0 && n < s.len; most--) {
		size_t step = text_utf8((struct span){ s.data + n, s.len - n });

		n += step ? step : 1;
	}
	return (struct span){ s.data, n };
}

/*
 * Direction marks and other invisible formatting can make a terminal show a
 * line in another order than its bytes; they are no letters of any language.
 */
static bool is_invisible(struct span s, size_t n)
{
	const unsigned char *p = (const unsigned char *)s.data;

	if (n == 2)
		return p[0] == 0xd8 && p[1] == 0x9c;
	if (n != 3 || p[0] != 0xe2)
		return n == 3 && p[0] == 0xef && p[1] == 0xbb && p[2] == 0xbf;
	return (p[1] == 0x80 && (p[2] >= 0x8b && p[2] <= 0x8f)) ||
	       (p[1] == 0x80 && p[2] >= 0xa8 && p[2] <= 0xae) ||
	       (p[1] == 0x81 && p[2] >= 0xa0 && p[2] <= 0xaf);
}

static size_t plain(struct span s, bool keep_lines)
{
	size_t n = text_utf8(s);
	unsigned char c = (unsigned char)s.data[0];

	if (n == 1 && (c < 0x20 || c == 0x7f))
		return keep_lines && (c == '\n' || c == '\t');
	return is_invisible(s, n) ? 0 : n;
}

#define EACH_BYTE(byte) (UINT64_C(0x0101010101010101) * (byte))

/*
 * Eight bytes, each from 0x20 to 0x7e: no high bit is set, none borrows when
 * 0x20 is taken away, and none carries into it when one is added.
 */
static bool is_ascii(const char *bytes)
{
	uint64_t w;

	memcpy(&w, bytes, sizeof(w));
	return ((w | (w - EACH_BYTE(0x20)) | (w + EACH_BYTE(0x01))) & EACH_BYTE(0x80)) == 0;
}

/* Bytes at the front that are printable ASCII: nearly all of nearly every text. */
static size_t ascii_run(struct span s, char but_not, char nor)
{
	size_t n = 0;

	while (but_not == '\0' && nor == '\0' && s.len - n >= 8 && is_ascii(s.data + n))
		n += 8;
	while (n < s.len && s.data[n] >= 0x20 && s.data[n] < 0x7f && s.data[n] != but_not &&
	       s.data[n] != nor)
		n++;
	return n;
}

static void skip(struct span *s, size_t n)
{
	s->data += n;
	s->len -= n;
}

/* The length of a colour, as ESC [ 1 ; 31 m, or of a line's end of RFC 4180; else 0. */
static size_t kept_whole(struct span s, bool colours)
{
	size_t n = 2;

	if (span_starts(s, "\r\n"))
		return 2;
	if (!colours || !span_starts(s, "\x1b["))
		return 0;
	while (n < s.len && ((s.data[n] >= '0' && s.data[n] <= '9') || s.data[n] == ';'))
		n++;
	return n < s.len && s.data[n] == 'm' ? n + 1 : 0;
}

void text_screen(struct buf *out, struct span s, bool colours)
{
	while (s.len > 0) {
		size_t n = ascii_run(s, '\0', '\0');

		if (n == 0)
			n = plain(s, true);
		if (n == 0)
			n = kept_whole(s, colours);
		if (n > 0)
			buf_add(out, s.data, n);
		else
			buf_addf(out, "\\x%02x", (unsigned char)s.data[0]);
		skip(&s, n + (n == 0));
	}
}

void text_clean(struct buf *out, struct span s, bool keep_lines)
{
	while (s.len > 0) {
		size_t n = ascii_run(s, '\0', '\0');

		if (n == 0)
			n = plain(s, keep_lines);
		if (n > 0)
			buf_add(out, s.data, n);
		else
			buf_addf(out, "\\x%02x", (unsigned char)s.data[0]);
		skip(&s, n + (n == 0));
	}
}

/*
 * A runner drops white space of any script before "::", and finds "##[" anywhere in a line.
 * A blank parts the marks: ": :error", "## [error]".
 */
void text_defuse(struct buf *out, struct span s)
{
	bool fresh = true; /* nothing visible of ASCII in this line so far */

	for (size_t i = 0; i < s.len; i++) {
		char c = s.data[i], before = i > 0 ? s.data[i - 1] : '\n';
		char next = i + 1 < s.len ? s.data[i + 1] : '\n';

		buf_char(out, c);
		if ((fresh && c == ':' && next == ':') ||
		    (before == '#' && c == '#' && next == '['))
			buf_char(out, ' ');
		if (c == '\n' || c == '\r')
			fresh = true;
		else if (c > ' ' && c < 0x7f)
			fresh = false;
	}
}

void text_line(struct buf *out, const char *format, ...)
{
	struct buf raw BUF_SCOPED = { 0 };
	va_list args;

	va_start(args, format);
	buf_addv(&raw, format, args);
	va_end(args);
	text_clean(out, buf_get(&raw), false);
	buf_char(out, '\n');
}

bool text_is_binary(struct span s)
{
	size_t strange = 0;

	for (size_t i = 0; i < s.len; i++) {
		unsigned char c = (unsigned char)s.data[i];

		strange += c < ' ' && (c == 0 || !strchr("\a\b\t\n\v\f\r\x1b", c));
	}
	return strange > 1 + s.len / 20;
}

#define SLUG_MAX 48

bool text_is_slug(struct span s)
{
	if (s.len == 0 || s.len > SLUG_MAX || s.data[0] == '-' || s.data[s.len - 1] == '-')
		return false;
	for (size_t i = 0; i < s.len; i++) {
		char c = s.data[i];

		if (!(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9') && c != '-')
			return false;
		if (c == '-' && s.data[i - 1] == '-')
			return false;
	}
	return true;
}

bool text_is_clean(struct span s, bool keep_lines)
{
	while (s.len > 0) {
		size_t n = ascii_run(s, '\0', '\0');

		if (n == 0)
			n = plain(s, keep_lines);
		if (n == 0)
			return false;
		skip(&s, n);
	}
	return true;
}

size_t text_width(struct span s)
{
	size_t width = 0;

	for (size_t i = 0; i < s.len; i++)
		width += !is_tail((unsigned char)s.data[i]);
	return width;
}

void text_word(struct buf *out, struct span s)
{
	while (s.len > 0) {
		size_t n = ascii_run(s, ' ', '\\');

		if (n == 0 && s.data[0] != ' ' && s.data[0] != '\\')
			n = plain(s, false);
		if (n > 0)
			buf_add(out, s.data, n);
		else
			buf_addf(out, "\\x%02x", (unsigned char)s.data[0]);
		skip(&s, n + (n == 0));
	}
}

bool text_unword(struct buf *out, struct span word)
{
	for (size_t i = 0; i < word.len; i++) {
		uint64_t byte;

		if (word.data[i] != '\\') {
			buf_char(out, word.data[i]);
			continue;
		}
		if (word.len - i < 4 || word.data[i + 1] != 'x' ||
		    !span_hex((struct span){ word.data + i + 2, 2 }, &byte))
			return false;
		buf_char(out, (char)byte);
		i += 3;
	}
	return true;
}

static bool is_plain(struct span s)
{
	static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				   "_./:=+,@%-";

	for (size_t i = 0; i < s.len; i++)
		if (!memchr(safe, s.data[i], sizeof(safe) - 1))
			return false;
	return s.len > 0 && s.data[0] != '-';
}

/* $'...' of bash, zsh and ksh: nothing else can be shown and typed again. */
static void quote_bytes(struct buf *out, struct span s)
{
	struct buf escaped BUF_SCOPED = { 0 };

	for (size_t i = 0; i < s.len; i++) {
		if (s.data[i] == '\'' || s.data[i] == '\\')
			buf_char(&escaped, '\\');
		buf_char(&escaped, s.data[i]);
	}
	buf_text(out, "$'");
	text_clean(out, buf_get(&escaped), false);
	buf_char(out, '\'');
}

void text_shell(struct buf *out, struct span s)
{
	if (is_plain(s)) {
		buf_span(out, s);
		return;
	}
	if (!text_is_clean(s, false)) {
		quote_bytes(out, s);
		return;
	}
	buf_char(out, '\'');
	for (size_t i = 0; i < s.len; i++)
		if (s.data[i] == '\'')
			buf_text(out, "'\\''");
		else
			buf_char(out, s.data[i]);
	buf_char(out, '\'');
}

void text_operand(struct buf *out, struct span s)
{
	struct buf name BUF_SCOPED = { 0 };

	if (s.len > 0 && s.data[0] == '-' && (s.len == 1 || s.data[1] < '0' || s.data[1] > '9'))
		buf_text(&name, "./");
	buf_span(&name, s);
	text_shell(out, buf_get(&name));
}

bool text_is_date(const char *text)
{
	static const char form[] = "dddd-dd-dd";

	for (size_t i = 0; i < sizeof(form); i++)
		if (form[i] == 'd' ? text[i] < '0' || text[i] > '9' : text[i] != form[i])
			return false;
	return true;
}
