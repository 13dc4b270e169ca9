#include "base/did-you-mean.h"

#include <string.h>

static size_t least_of(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Three rows of the table of all pairs of beginnings: a swap looks back two. */
size_t did_you_mean_distance(struct span a, struct span b)
{
	size_t rows[3][DID_YOU_MEAN_MAX + 1];

	if (a.len > DID_YOU_MEAN_MAX || b.len > DID_YOU_MEAN_MAX)
		return SIZE_MAX;
	for (size_t k = 0; k <= b.len; k++)
		rows[0][k] = k;
	for (size_t i = 1; i <= a.len; i++) {
		size_t *row = rows[i % 3];
		const size_t *above = rows[(i + 2) % 3];
		const size_t *before = rows[(i + 1) % 3];

		row[0] = i;
		for (size_t k = 1; k <= b.len; k++) {
			bool other = a.data[i - 1] != b.data[k - 1];

			row[k] = least_of(above[k - 1] + other, least_of(above[k], row[k - 1]) + 1);
			if (i > 1 && k > 1 && a.data[i - 1] == b.data[k - 2] &&
			    a.data[i - 2] == b.data[k - 1])
				row[k] = least_of(row[k], before[k - 2] + other);
		}
	}
	return rows[a.len % 3][b.len];
}

/* No mistake in one letter, one in a short word, three in a long one. */
struct did_you_mean did_you_mean(const char *word)
{
	struct did_you_mean n = { .word = span_of(word) };

	n.least = n.word.len < 2 ? 1 : n.word.len < 6 ? 2 : n.word.len < 9 ? 3 : 4;
	return n;
}

void did_you_mean_try(struct did_you_mean *n, struct span candidate)
{
	size_t d = did_you_mean_distance(n->word, candidate);

	if (n->word.len >= 4 && candidate.len > n->word.len &&
	    memcmp(candidate.data, n->word.data, n->word.len) == 0)
		d = 1;
	if (d >= n->least || candidate.len > DID_YOU_MEAN_MAX)
		return;
	n->least = d;
	memcpy(n->best, candidate.data, candidate.len);
	n->best[candidate.len] = '\0';
}

void did_you_mean_try_words(struct did_you_mean *n, const char *words)
{
	struct span rest = span_of(words), word;

	while (span_word(&rest, &word))
		did_you_mean_try(n, word);
}
