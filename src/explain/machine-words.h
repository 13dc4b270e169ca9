#pragma once

/*
 * machine-words - the words in which people tell of their machine
 *
 * Reads data/machine-words.tsv, which is compiled in. Phrases are found by
 * their first word, labels as a whole.
 */

#include "base/arena.h"
#include "base/span.h"

struct contrast_words;
struct setting_names;

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
	WORD_EXAMPLE,
	WORD_VERB,
	WORD_KINDS
};

struct machine_word {
	enum word_kind kind;
	struct span first;               /* word of the phrase; of a label all of it */
	struct span rest;                /* of the phrase, behind its first word */
	struct span means;               /* empty: nothing */
	const struct machine_word *next; /* with the same first word */
	struct machine_word *chain;      /* with another one, in the same place of the table */
};

#define MACHINE_WORDS_TABLE 2048 /* places: twice as many as there are words */

struct machine_words {
	struct arena arena;
	struct machine_word **table;
	struct span listing;                    /* before a product in the output of lspci */
	const struct contrast_words *contrasts; /* that are looked for as well, or NULL: log.c */
	const struct setting_names *settings;   /* that are looked for as well, or NULL: log.c */
};

void machine_words_load(struct machine_words *ret);
void machine_words_done(struct machine_words *w);

/* The phrases that begin with a word in small letters, or NULL. */
const struct machine_word *machine_words_find(const struct machine_words *w, struct span word);
bool machine_words_is(const struct machine_word *list, enum word_kind kind); /* the word alone */

/* What a label is for, or a value that says nothing; NULL: neither. */
const struct machine_word *machine_words_whole(const struct machine_words *w, struct span phrase,
					       enum word_kind kind);
