#pragma once

/*
 * machine-words - the words in which people tell of their machine
 *
 * Reads data/machine-words.tsv, which is compiled in. Phrases are found by
 * their first word, labels as a whole.
 */

#include "base/arena.h"
#include "base/map.h"

enum word_kind {
	WORD_LABEL,
	WORD_FILLER,
	WORD_NONE,
	WORD_PROGRAM,
	WORD_LIBRARY,
	WORD_SYSTEM,
	WORD_EDITION,
	WORD_TAIL,
	WORD_ENGINE,
	WORD_BOXED,
	WORD_RELEASE,
	WORD_BETWEEN,
	WORD_BRAND,
	WORD_SERIES,
	WORD_BEHIND,
	WORD_COMMON,
	WORD_INSIDE,
	WORD_CHIP,
	WORD_COUNT,
	WORD_CUE,
	WORD_ARTICLE,
	WORD_OTHER,
	WORD_GOOD,
	WORD_BAD,
	WORD_DENY,
	WORD_TURN,
	WORD_CHANGE,
	WORD_AFTER,
	WORD_MINE,
	WORD_LISTING,
	WORD_RIVAL,
	WORD_KINDS
};

struct machine_word {
	enum word_kind kind;
	struct span rest;                /* of the phrase, behind its first word */
	struct span means;               /* empty: nothing */
	const struct machine_word *next; /* with the same first word */
};

struct machine_words {
	struct arena arena;
	struct map first;  /* to the phrases that begin with it */
	struct map labels; /* to what is behind the label */
	struct map nones;
	struct span listing; /* before a product in the output of lspci */
};

void machine_words_load(struct machine_words *ret);
void machine_words_done(struct machine_words *w);

/* The phrases that begin with a word in small letters, or NULL. */
const struct machine_word *machine_words_find(const struct machine_words *w, struct span word);
bool machine_words_is(const struct machine_word *list, enum word_kind kind); /* the word alone */
