#pragma once

/*
 * json-check - whether bytes are one JSON value, by RFC 8259
 *
 * A recogniser and no parser: it keeps nothing. Text must be ASCII or bytes of
 * 0x80 and above, since nothing that we write holds a control byte.
 */

#include "base/span.h"
#include "inside.h"

static inline void json_blanks(struct span *s)
{
	while (s->len > 0 && (s->data[0] == ' ' || s->data[0] == '\n')) {
		s->data++;
		s->len--;
	}
}

static inline char json_take(struct span *s)
{
	must(s->len > 0);
	s->len--;
	return *s->data++;
}

static inline void json_string(struct span *s)
{
	char c;

	must(json_take(s) == '"');
	while ((c = json_take(s)) != '"') {
		must((unsigned char)c >= 0x20 && c != 0x7f);
		if (c != '\\')
			continue;
		c = json_take(s);
		must(c == '"' || c == '\\' || c == 'u');
		for (int i = 0; c == 'u' && i < 4; i++) {
			char digit = json_take(s);

			must((digit >= '0' && digit <= '9') || (digit >= 'a' && digit <= 'f'));
		}
	}
}

static inline void json_word(struct span *s)
{
	char word[40] = { 0 };
	char *end = word;
	size_t n = 0;

	while (s->len > 0 && n < sizeof(word) - 1 && s->data[0] && !strchr(",]} \n", s->data[0]))
		word[n++] = json_take(s);
	if (strcmp(word, "true") == 0 || strcmp(word, "false") == 0 || strcmp(word, "null") == 0)
		return;
	must(word[0] == '-' || (word[0] >= '0' && word[0] <= '9')); /* no inf, no nan */
	(void)strtod(word, &end);
	must(*end == '\0');
}

static inline void json_value(struct span *s, unsigned int depth)
{
	char open;

	must(depth < 8);
	json_blanks(s);
	must(s->len > 0);
	if (s->data[0] == '"') {
		json_string(s);
		return;
	}
	if (s->data[0] != '{' && s->data[0] != '[') {
		json_word(s);
		return;
	}
	open = json_take(s);
	json_blanks(s);
	if (s->len > 0 && s->data[0] == (open == '{' ? '}' : ']')) {
		(void)json_take(s);
		return;
	}
	for (;;) {
		char next;

		json_blanks(s);
		if (open == '{') {
			json_string(s);
			must(json_take(s) == ':');
		}
		json_value(s, depth + 1);
		json_blanks(s);
		next = json_take(s);
		if (next == (open == '{' ? '}' : ']'))
			return;
		must(next == ',');
	}
}

static inline void json_must_be_whole(struct span text)
{
	json_value(&text, 0);
	json_blanks(&text);
	must(text.len == 0);
}
