#include "explain/token-line.h"

#include <ctype.h>
#include <string.h>

bool token_goes_on(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* A point, a hyphen and the like belong to a word between two letters; plus also at its end. */
static bool joins(struct span text, size_t at)
{
	char c = text.data[at];
	bool next = at + 1 < text.len && token_goes_on(text.data[at + 1]);

	return (next && (c == '.' || c == '-' || c == '~')) ||
	       (c == '+' && (next || at + 1 == text.len || text.data[at + 1] != '+'));
}

/* "rocm/pytorch:latest", "ghcr.io/a/b:c": no path and no address. */
static bool is_image(struct span chunk)
{
	size_t slash = span_find(chunk, SPAN_LITERAL("/"));
	size_t colon = slash == SIZE_MAX ? SIZE_MAX : span_find(chunk, SPAN_LITERAL(":"));

	if (!chunk.data || slash == SIZE_MAX || slash == 0 ||
	    !islower((unsigned char)chunk.data[slash - 1]))
		return false;
	if (span_find(chunk, SPAN_LITERAL("://")) != SIZE_MAX)
		return false;
	if (span_starts(chunk, "rocm/") && chunk.len > 5 && islower((unsigned char)chunk.data[5]))
		return true;
	return colon != SIZE_MAX && colon > slash && colon + 1 < chunk.len &&
	       isalnum((unsigned char)chunk.data[colon + 1]);
}

static bool is_path(struct span chunk)
{
	return span_starts(chunk, "/") || span_starts(chunk, "./") || span_starts(chunk, "~/") ||
	       span_find(chunk, SPAN_LITERAL("://")) != SIZE_MAX ||
	       span_find(chunk, SPAN_LITERAL(":\\")) != SIZE_MAX;
}

static unsigned int gap_of(struct span text, size_t at)
{
	bool ends = at + 1 == text.len || isspace((unsigned char)text.data[at + 1]);

	switch (text.data[at]) {
	case ',':
		return GAP_COMMA;
	case '.':
		return ends ? GAP_STOP : GAP_OTHER;
	case '!':
	case '?':
		return ends ? GAP_STOP : 0;
	case ';':
		return GAP_STOP;
	case '(':
	case '[':
		return GAP_OPEN;
	case ')':
	case ']':
		return GAP_CLOSE;
	case '/':
	case '+':
	case '|':
		return GAP_SLASH;
	case ':':
	case '=':
		return GAP_COLON;
	case '*':
	case '`':
	case '"':
	case '\'':
		return 0;
	default:
		return (unsigned char)text.data[at] >= 0x80 ? 0 : GAP_OTHER;
	}
}

static void add_token(struct token_line *line, struct span text, size_t at, size_t end,
		      unsigned int gap)
{
	struct token *t = &line->tokens[line->count++];

	*t = (struct token){ .text = { text.data + at, end - at },
			     .low = { line->low + at, end - at },
			     .gap = gap };
	t->words = machine_words_find(line->words, t->low);
}

/* The end of the bytes up to a blank, without what closes a sentence or a bracket around it. */
static struct span chunk_at(struct span text, size_t at)
{
	size_t end = at;

	while (end < text.len && !isspace((unsigned char)text.data[end]))
		end++;
	while (end > at && strchr(".,;)]}'\"`*", text.data[end - 1]))
		end--;
	return (struct span){ text.data + at, end - at };
}

static size_t word_end(struct span text, size_t at)
{
	size_t end = at;

	if (token_goes_on(text.data[at]))
		for (end++; end < text.len && (token_goes_on(text.data[end]) || joins(text, end));)
			end++;
	return end;
}

/* Where the word that begins here ends; `at` itself: none begins. A path is passed over. */
static size_t chunk_end(struct span text, size_t *at, unsigned int *gap)
{
	bool begins = !strchr("([{'\"`*", text.data[*at]) &&
		      (*at == 0 || memchr(" \t([`\"'*", text.data[*at - 1], 8));
	struct span chunk = begins ? chunk_at(text, *at) : (struct span){ 0 };

	if (memchr(chunk.data ? chunk.data : "", '/', chunk.len) ||
	    memchr(chunk.data ? chunk.data : "", '\\', chunk.len)) {
		if (is_path(chunk)) {
			*at += chunk.len;
			*gap |= GAP_OTHER;
			return *at;
		}
		if (is_image(chunk))
			return *at + chunk.len;
	}
	return word_end(text, *at);
}

static bool has_slash(struct span text)
{
	return memchr(text.data, '/', text.len) || memchr(text.data, '\\', text.len);
}

void token_line_read(struct token_line *line, const struct machine_words *words, struct span text)
{
	bool slash = text.len > 0 && has_slash(text);
	unsigned int gap = 0;
	size_t at = 0;

	if (text.len > TOKEN_LINE_BYTES)
		text.len = TOKEN_LINE_BYTES;
	line->words = words;
	line->count = 0;
	for (size_t i = 0; i < text.len; i++)
		line->low[i] = (char)tolower((unsigned char)text.data[i]);
	while (at < text.len && line->count < TOKEN_LINE_WORDS) {
		size_t end = slash ? chunk_end(text, &at, &gap) : word_end(text, at);

		if (end > at) {
			add_token(line, text, at, end, gap);
			gap = 0;
			at = end;
		} else if (at < text.len) {
			gap |= isspace((unsigned char)text.data[at]) ? 0 : gap_of(text, at);
			at++;
		}
	}
}
