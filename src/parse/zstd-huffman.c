#include "parse/zstd-huffman.h"

#include <errno.h>

#include "parse/zstd-fse.h"

#define WEIGHT_LOG 6

/* Section 4.2.1.2: two states take turns until the stream is empty. */
static int read_packed_weights(struct source *s, uint64_t at, struct span bytes,
			       uint8_t weights[static HUFFMAN_SYMBOLS], unsigned int *ret_count)
{
	int16_t counts[256];
	unsigned int symbols, log, n = 0;
	struct fse table;
	struct bits b;
	uint32_t state[2];
	int used = fse_counts(bytes, WEIGHT_LOG, 12, counts, &symbols, &log), r;

	if (used < 0)
		return used;
	fse_build(&table, counts, symbols, log);
	r = bits_open(&b, s, at + (unsigned int)used, bytes.len - (size_t)used);
	if (r < 0)
		return r;
	state[0] = bits_read(&b, log);
	state[1] = bits_read(&b, log);
	for (unsigned int turn = 0; n < HUFFMAN_SYMBOLS - 2 && b.left >= 0; turn ^= 1) {
		weights[n++] = table.cells[state[turn]].symbol;
		fse_next(&table, &state[turn], &b);
		if (b.left < 0)
			weights[n++] = table.cells[state[turn ^ 1]].symbol;
	}
	*ret_count = n;
	return b.error ? b.error : b.left < 0 ? 0 : -EBADMSG;
}

/* The last weight is not written: it makes the sum a power of two. */
static int build(struct huffman *h, uint8_t weights[static HUFFMAN_SYMBOLS], unsigned int count)
{
	unsigned int sum = 0, log, left, ranks[HUFFMAN_LOG + 2] = { 0 };

	/* A weight has four bits; one above HUFFMAN_LOG makes the sum too large. */
	for (unsigned int i = 0; i < count; i++)
		sum += weights[i] ? 1u << (weights[i] - 1) : 0;
	if (sum == 0)
		return -EBADMSG;
	log = bits_highest(sum) + 1;
	left = (1u << log) - sum;
	if (log > HUFFMAN_LOG || (left & (left - 1)) != 0)
		return -EBADMSG;
	weights[count++] = (uint8_t)(bits_highest(left) + 1);
	for (unsigned int i = 0; i < count; i++)
		ranks[weights[i]]++;
	for (unsigned int w = 1, code = 0, at = 0; w <= log; w++) {
		h->first[w] = (uint16_t)code;
		h->from[w] = (uint16_t)at;
		code += ranks[w] << (w - 1);
		at += ranks[w];
		ranks[w] = h->from[w];
	}
	for (unsigned int i = 0; i < count; i++)
		if (weights[i] > 0)
			h->symbols[ranks[weights[i]]++] = (uint8_t)i;
	h->log = log;
	return 0;
}

int huffman_read(struct huffman *h, struct source *s, uint64_t at, struct span head)
{
	uint8_t weights[HUFFMAN_SYMBOLS + 1] = { 0 };
	unsigned int first, count, bytes;
	int r = 0;

	if (head.len < 1)
		return -EBADMSG;
	first = (unsigned char)head.data[0];
	count = first - 127;
	bytes = first >= 128 ? (count + 1) / 2 : first;
	if (bytes > head.len - 1)
		return -EBADMSG;
	head = (struct span){ head.data + 1, bytes };
	if (first >= 128) {
		for (unsigned int i = 0; i < count; i++)
			weights[i] =
				(uint8_t)((unsigned char)head.data[i / 2] >> (i % 2 ? 0 : 4) & 15);
	} else {
		r = read_packed_weights(s, at + 1, head, weights, &count);
	}
	if (r == 0)
		r = build(h, weights, count);
	return r < 0 ? r : (int)bytes + 1;
}
