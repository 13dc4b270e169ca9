#pragma once

/*
 * sentence - a line of a person cut into sentences and words
 *
 * Words are in small letters and without the quotes, brackets and stops around them. A line that
 * says more than SENTENCE_WORDS words without a stop is cut there, and goes on as the next one.
 */

#include "base/span.h"

#define SENTENCE_WORDS 64
#define SENTENCE_BYTES 1024

struct person_sentence {
	struct sentence_word {
		struct span text;
		bool breaks; /* a comma, colon or bracket behind it ends a clause */
		bool colon;
		bool is_level; /* it stands in capitals or brackets, as levels of loggers do */
	} words[SENTENCE_WORDS];
	size_t count;
	char bytes[SENTENCE_BYTES];
};

/* The next sentence with a word in it; false at the end. */
bool sentence_next(struct span *rest, struct person_sentence *ret);

/* Whether it has a clock, "12:30:01", and is no remark in brackets: a program wrote it. */
bool sentence_is_dated(struct span line);
