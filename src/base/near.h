#pragma once

/*
 * near - the word that somebody may have meant
 *
 * Letters that must be changed, added, dropped or swapped with their neighbour
 * to make one word of another; of the candidates the nearest is kept, if any
 * is near for a word of that length, or begins with it.
 */

#include "base/span.h"

#define NEAR_MAX 64 /* bytes of a word; longer ones are never near */

struct near {
	struct span word;
	char best[NEAR_MAX + 1]; /* empty: none is near */
	size_t least;
};

size_t near_distance(struct span a, struct span b); /* SIZE_MAX: too long */

struct near near_to(const char *word);
void near_try(struct near *n, struct span candidate);
void near_try_words(struct near *n, const char *words); /* with blanks between */
