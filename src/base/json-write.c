#include "base/json-write.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"

struct json json_on(struct buf *out)
{
	return (struct json){ .out = out, .first = true };
}

static void quoted(struct buf *out, struct span s)
{
	buf_char(out, '"');
	for (size_t i = 0; i < s.len; i++) {
		unsigned char c = (unsigned char)s.data[i];
		size_t n = text_utf8((struct span){ s.data + i, s.len - i });

		if (c == '"' || c == '\\')
			buf_addf(out, "\\%c", c);
		else if (c < 0x20 || c == 0x7f || n == 0)
			buf_addf(out, "\\u%04x", c);
		else
			buf_char(out, (char)c);
		for (; n > 1; n--)
			buf_char(out, s.data[++i]);
	}
	buf_char(out, '"');
}

static void begin(struct json *j, const char *key)
{
	if (!j->first)
		buf_char(j->out, ',');
	if (j->compact) {
		if (!j->first)
			buf_char(j->out, ' ');
	} else if (j->depth > 0) {
		buf_char(j->out, '\n');
		for (unsigned int i = 0; i < j->depth; i++)
			buf_text(j->out, "  ");
	}
	j->first = false;
	if (key) {
		quoted(j->out, span_of(key));
		buf_text(j->out, ": ");
	}
}

void json_open(struct json *j, const char *key, char bracket)
{
	begin(j, key);
	buf_char(j->out, bracket);
	j->depth++;
	j->first = true;
}

void json_close(struct json *j, char bracket)
{
	j->depth--;
	if (!j->first && !j->compact) {
		buf_char(j->out, '\n');
		for (unsigned int i = 0; i < j->depth; i++)
			buf_text(j->out, "  ");
	}
	buf_char(j->out, bracket);
	j->first = false;
	if (j->depth == 0)
		buf_char(j->out, '\n');
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
	begin(j, key);
	buf_addf(j->out, "%lld", (long long)value);
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
