#pragma once

/*
 * zstd-huffman - the codes of literals, RFC 8878, section 4.2
 */

#include "parse/zstd-bits.h"

#define HUFFMAN_LOG     11
#define HUFFMAN_SYMBOLS 256

/*
 * Codes of `log` bits in the order of their values: those of weight 1, one for
 * each symbol, then those of weight 2, two for each, and so on. A table of all
 * codes would take longer to fill than the few hundred literals to search.
 */
struct huffman {
	unsigned int log;                /* 0: none yet */
	uint16_t first[HUFFMAN_LOG + 2]; /* code of each weight */
	uint16_t from[HUFFMAN_LOG + 2];  /* its symbols in the list */
	uint8_t symbols[HUFFMAN_SYMBOLS];
};

/* The tree that begins at `at`, of which `head` are the first bytes: its length, or -errno. */
int huffman_read(struct huffman *h, struct source *s, uint64_t at, struct span head);

static inline uint8_t huffman_next(const struct huffman *h, struct bits *b)
{
	uint32_t code = bits_before(b, b->left, h->log);
	unsigned int w = h->log;

	while (code < h->first[w])
		w--;
	b->left -= h->log + 1 - w;
	return h->symbols[h->from[w] + ((code - h->first[w]) >> (w - 1))];
}
