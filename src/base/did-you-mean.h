#pragma once

/*
 * did-you-mean - the word that somebody may have meant
 *
 * Letters that must be changed, added, dropped or swapped with their neighbour
 * to make one word of another; of the candidates the nearest is kept, if any
 * is near for a word of that length, or begins with it.
 */

#include "base/span.h"

#define DID_YOU_MEAN_MAX 64 /* bytes of a word; longer ones are never near */

struct did_you_mean {
	struct span word;
	char best[DID_YOU_MEAN_MAX + 1]; /* empty: none is near */
	size_t least;
};

size_t did_you_mean_distance(struct span a, struct span b); /* SIZE_MAX: too long */

struct did_you_mean did_you_mean(const char *word);
void did_you_mean_try(struct did_you_mean *n, struct span candidate);
void did_you_mean_try_words(struct did_you_mean *n, const char *words); /* with blanks between */
