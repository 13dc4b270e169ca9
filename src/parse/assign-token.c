#include "parse/assign-token.h"

#include <assert.h>
#include <string.h>

/* Signs that divide words and statements; blanks always divide words. */
static const char *const stops[] = {
	[ASSIGN_SH] = ";&|()<>", [ASSIGN_FISH] = ";&|<>", [ASSIGN_CSH] = ";&|()<>",
	[ASSIGN_SYSTEMD] = "",   [ASSIGN_PLAIN] = "",     [ASSIGN_DOCKER] = "",
};

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_stop(enum assign_dialect dialect, char c)
{
	return c != '\0' && strchr(stops[dialect], c) != NULL;
}

bool assign_is_shell(enum assign_dialect dialect)
{
	return stops[dialect][0] != '\0';
}

/* After the quote that opens at i, or the end. */
static size_t skip_quoted(struct span s, size_t i)
{
	char quote = s.data[i++];

	for (; i < s.len && s.data[i] != quote; i++)
		if (s.data[i] == '\\' && quote != '\'')
			i++;
	return i < s.len ? i + 1 : s.len;
}

/* After the bracket that opens at i, or the end: $(...), ${...}, A=(...). */
static size_t skip_nested(struct span s, size_t i)
{
	char open = s.data[i];
	char close = open == '(' ? ')' : '}';
	size_t depth = 0;

	while (i < s.len) {
		char c = s.data[i];

		if (c == '"' || c == '\'' || c == '`') {
			i = skip_quoted(s, i);
			continue;
		}
		depth += (c == open);
		depth -= (c == close);
		i += c == '\\' ? 2 : 1;
		if (depth == 0)
			break;
	}
	return i < s.len ? i : s.len;
}

static bool opens_nested(enum assign_dialect dialect, struct span s, size_t i)
{
	char c = s.data[i];

	if (!assign_is_shell(dialect))
		return false;
	if (dialect == ASSIGN_FISH && c == '(')
		return true;
	return i > 0 && ((s.data[i - 1] == '$' && (c == '(' || c == '{')) ||
			 (s.data[i - 1] == '=' && c == '('));
}

static size_t word_length(enum assign_dialect dialect, struct span s)
{
	size_t i = 0;

	while (i < s.len && !is_blank(s.data[i])) {
		char c = s.data[i];

		if (c == '\\' && assign_at(s, i + 1) == '\n')
			break;
		if (opens_nested(dialect, s, i))
			i = skip_nested(s, i);
		else if (is_stop(dialect, c))
			break;
		else if (c == '"' || c == '\'' || (c == '`' && assign_is_shell(dialect)))
			i = skip_quoted(s, i);
		else
			i += c == '\\' ? 2 : 1;
	}
	return i < s.len ? i : s.len;
}

/* A newline ends a statement unless a backslash stands before it. */
static void skip_blanks(struct assign_reader *r)
{
	struct span *s = &r->rest;

	while (s->len > 0) {
		if (s->data[0] == '\\' && assign_at(*s, 1) == '\n')
			assign_drop(s, 2);
		else if (is_blank(s->data[0]) &&
			 (s->data[0] != '\n' || !assign_is_shell(r->dialect)))
			assign_drop(s, 1);
		else
			break;
	}
}

/* 2> is one redirection, not a word and a redirection. */
static enum assign_token take_word(struct assign_reader *r, struct span *ret_word)
{
	size_t n = word_length(r->dialect, r->rest);
	struct span word = { r->rest.data, n };
	uint64_t number;

	assert(n > 0); /* blanks, stops and a backslash-newline were taken before */
	assign_drop(&r->rest, n);
	if (assign_is_shell(r->dialect) && span_u64(word, &number) &&
	    (assign_at(r->rest, 0) == '<' || assign_at(r->rest, 0) == '>'))
		return ASSIGN_TOKEN_REDIRECT;
	*ret_word = word;
	return ASSIGN_TOKEN_WORD;
}

enum assign_token assign_next_token(struct assign_reader *r, struct span *ret_word)
{
	const char *end;
	char c;

	skip_blanks(r);
	if (r->rest.len == 0)
		return ASSIGN_TOKEN_END;
	c = r->rest.data[0];
	if (!assign_is_shell(r->dialect))
		return take_word(r, ret_word);
	if (c == '#') {
		end = memchr(r->rest.data, '\n', r->rest.len);
		assign_drop(&r->rest, end ? (size_t)(end - r->rest.data) : r->rest.len);
		return ASSIGN_TOKEN_BREAK;
	}
	if (r->dialect == ASSIGN_SH && c == '(' && assign_at(r->rest, 1) == '(') {
		assign_drop(&r->rest, skip_nested(r->rest, 0));
		return ASSIGN_TOKEN_BREAK;
	}
	if (c != '\n' && !is_stop(r->dialect, c))
		return take_word(r, ret_word);
	assign_drop(&r->rest, 1);
	return c == '<' || c == '>' ? ASSIGN_TOKEN_REDIRECT : ASSIGN_TOKEN_BREAK;
}
