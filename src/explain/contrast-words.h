#pragma once

/*
 * contrast-words - the words of data/contrasts.tsv, found in a sentence
 *
 * The table is read once. Phrases are looked for by their first byte; of two that begin at the same
 * word both are found.
 */

#include "base/arena.h"
#include "explain/sentence.h"

#define CONTRAST_HITS 128 /* of one sentence */

enum contrast_kind {
	CONTRAST_WORK,
	CONTRAST_FAIL,
	CONTRAST_TURNED,
	CONTRAST_FLIP,
	CONTRAST_NOT,
	CONTRAST_NO,
	CONTRAST_QUIET,
	CONTRAST_PART,
	CONTRAST_PREP,
	CONTRAST_UNIT,
	CONTRAST_TURN,
	CONTRAST_FROM,
	CONTRAST_TO,
	CONTRAST_ONWARD,
	CONTRAST_SUBJECT,
	CONTRAST_NEAR,
	CONTRAST_MODEL,
	CONTRAST_UPDATE,
	CONTRAST_FAILS,
	CONTRAST_WORKS,
	CONTRAST_ALONE,
	CONTRAST_KINDS
};

struct contrast_hit {
	enum contrast_kind kind;
	struct span name;
	size_t from, end; /* words */
};

struct contrast_hits {
	struct contrast_hit list[CONTRAST_HITS];
	size_t count;
};

struct contrast_words;

/* NULL: no memory, or a row is wrong, whose line is *ret_line if that is asked for. */
struct contrast_words *contrast_words_new(struct span table, unsigned int *ret_line);
struct contrast_words *contrast_words_free(struct contrast_words *w); /* NULL */

void contrast_words_find(const struct contrast_words *w, const struct person_sentence *s,
			 struct contrast_hits *ret);
