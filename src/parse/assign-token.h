#pragma once

/*
 * assign-token - the words of a line of a start-up file, for assign.c
 *
 * Quotes and brackets are kept whole, and nothing is expanded.
 */

#include "parse/assign.h"

enum assign_token {
	ASSIGN_TOKEN_END,
	ASSIGN_TOKEN_BREAK,
	ASSIGN_TOKEN_REDIRECT,
	ASSIGN_TOKEN_WORD,
};

/* A dialect with statements, not only words. */
bool assign_is_shell(enum assign_dialect dialect);

/* The next one; a word is borrowed from the line. */
enum assign_token assign_next_token(struct assign_reader *r, struct span *ret_word);

static inline void assign_drop(struct span *s, size_t n)
{
	s->data += n;
	s->len -= n;
}

static inline char assign_at(struct span s, size_t i)
{
	return i < s.len ? s.data[i] : '\0';
}
