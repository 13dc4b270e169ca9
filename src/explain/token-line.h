#pragma once

/*
 * token-line - a line as words, with what stands between them
 *
 * A version, a kernel's release and the name of an image are one word each; a
 * path or an address is none.
 */

#include "explain/machine-words.h"

#define TOKEN_LINE_BYTES 400 /* bytes of a line that are looked at */
#define TOKEN_LINE_WORDS 96

enum mention_gap { /* what stands before a word, besides blanks */
		   GAP_COMMA = 1,
		   GAP_STOP = 2, /* the end of a sentence */
		   GAP_OPEN = 4,
		   GAP_CLOSE = 8,
		   GAP_SLASH = 16, /* or a plus */
		   GAP_COLON = 32, /* or an equals sign */
		   GAP_OTHER = 64,
};

struct token {
	struct span text; /* as it is written */
	struct span low;  /* in small letters */
	const struct machine_word *words;
	unsigned int gap;
};

struct token_line {
	char low[TOKEN_LINE_BYTES];
	struct token tokens[TOKEN_LINE_WORDS];
	size_t count;
	const struct machine_words *words;
};

/* The words of a line. What is a path or an address has none. */
void token_line_read(struct token_line *line, const struct machine_words *words, struct span text);

/* Whether a character belongs to a word wherever it stands. */
bool token_goes_on(char c);
