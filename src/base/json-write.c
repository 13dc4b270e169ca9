#include "base/json-write.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

struct json json_on(struct buf *out)
{
	return (struct json){ .out = out, .first = true };
}

/* Bytes at the front that stand in a string as they are. */
static size_t plain(struct span s)
{
	size_t n = 0;

	while (n < s.len && s.data[n] >= 0x20 && s.data[n] < 0x7f && s.data[n] != '"' &&
	       s.data[n] != '\\')
		n++;
	return n;
}

/*
 * The length of a character that no terminal may get, a control above ASCII or one
 * that is not seen; else 0. Left to the screen it would become \xNN, which is no JSON.
 */
static size_t unseen(struct span s, unsigned int *ret)
{
	const unsigned char *p = (const unsigned char *)s.data;
	size_t n = text_utf8(s);

	if (n == 0 && s.len >= 2 && p[0] == 0xc2 && p[1] >= 0x80 && p[1] < 0xa0)
		n = 2;
	else if (n < 2 || n > 3 || text_is_clean((struct span){ s.data, n }, false))
		return 0;
	*ret = n == 2 ? (p[0] & 0x1fU) << 6 | (p[1] & 0x3fU)
		      : (p[0] & 0x0fU) << 12 | (p[1] & 0x3fU) << 6 | (p[2] & 0x3fU);
	return n;
}

static void escape(struct buf *out, unsigned int c)
{
	if (c == '"' || c == '\\')
		buf_addf(out, "\\%c", (int)c);
	else
		buf_addf(out, "\\u%04x", c);
}

static void quoted(struct buf *out, struct span s)
{
	buf_char(out, '"');
	while (s.len > 0) {
		unsigned int c = (unsigned char)s.data[0];
		size_t n = plain(s), hidden = c >= 0x80 ? unseen(s, &c) : 0;

		if (n == 0 && hidden == 0 && c >= 0x80)
			n = text_utf8(s);
		if (n > 0) {
			buf_add(out, s.data, n);
		} else {
			escape(out, c);
			n = hidden ? hidden : 1;
		}
		s.data += n;
		s.len -= n;
	}
	buf_char(out, '"');
}

static void new_line(struct json *j)
{
	struct buf *out = j->out;
	size_t n = 2 * (size_t)j->depth;

	buf_room(out, n + 1);
	buf_char(out, '\n');
	memset(out->data + out->len, ' ', n);
	out->len += n;
	out->data[out->len] = '\0';
}

static bool is_on_one_line(const struct json *j)
{
	return j->compact || j->row > 0;
}

/* Members of an object have a name, those of an array none. */
static void begin(struct json *j, const char *key)
{
	assert(j->depth == 0 || (key != NULL) == (j->objects >> (j->depth - 1) & 1));
	if (!j->first)
		buf_char(j->out, ',');
	if (is_on_one_line(j)) {
		if (!j->first)
			buf_char(j->out, ' ');
	} else if (j->depth > 0) {
		new_line(j);
	}
	j->first = false;
	if (key) {
		quoted(j->out, span_of(key));
		buf_add(j->out, ": ", 2);
	}
}

void json_open(struct json *j, const char *key, char bracket)
{
	uint64_t bit = (uint64_t)1 << j->depth;

	assert(j->depth < JSON_DEPTH_MAX && (bracket == '{' || bracket == '['));
	begin(j, key);
	buf_char(j->out, bracket);
	j->objects = bracket == '{' ? j->objects | bit : j->objects & ~bit;
	j->depth++;
	j->first = true;
}

void json_close(struct json *j, char bracket)
{
	assert(j->depth > 0);
	j->depth--;
	assert(bracket == (j->objects >> j->depth & 1 ? '}' : ']'));
	if (!j->first && !is_on_one_line(j))
		new_line(j);
	buf_char(j->out, bracket);
	j->first = false;
	if (j->depth == 0)
		buf_char(j->out, '\n');
}

void json_open_row(struct json *j)
{
	json_open(j, NULL, '{');
	if (j->row == 0)
		j->row = j->depth;
}

void json_close_row(struct json *j)
{
	json_close(j, '}');
	if (j->depth < j->row)
		j->row = 0;
}

void json_text(struct json *j, const char *key, struct span value)
{
	begin(j, key);
	quoted(j->out, value);
}

void json_string(struct json *j, const char *key, const char *value)
{
	if (value)
		json_text(j, key, span_of(value));
	else
		json_null(j, key);
}

void json_int(struct json *j, const char *key, int64_t value)
{
	char text[24];
	char *at = text + sizeof(text);
	uint64_t rest = value < 0 ? -(uint64_t)value : (uint64_t)value;

	do
		*--at = (char)('0' + rest % 10);
	while ((rest /= 10) > 0);
	if (value < 0)
		*--at = '-';
	begin(j, key);
	buf_add(j->out, at, (size_t)(text + sizeof(text) - at));
}

void json_real(struct json *j, const char *key, double value)
{
	char text[40];

	if (!isfinite(value)) { /* JSON has no word for it */
		json_null(j, key);
		return;
	}
	begin(j, key);
	snprintf(text, sizeof(text), "%.15g", value);
	if (strtod(text, NULL) != value)
		snprintf(text, sizeof(text), "%.17g", value);
	buf_text(j->out, text);
}

void json_number(struct json *j, const char *key, struct span written)
{
	begin(j, key);
	buf_span(j->out, written);
}

void json_bool(struct json *j, const char *key, bool value)
{
	begin(j, key);
	buf_text(j->out, value ? "true" : "false");
}

void json_null(struct json *j, const char *key)
{
	begin(j, key);
	buf_text(j->out, "null");
}
