#include "parse/zstd-fse.h"

#include <errno.h>
#include <string.h>

/* Bits from the front, for tables, n at most 25. Behind the end there are zeroes. */
static uint32_t front_bits(struct span s, size_t *at, unsigned int n)
{
	size_t byte = *at / 8, left = byte < s.len ? s.len - byte : 0;
	uint32_t value = 0;

	if (left >= sizeof(value))
		memcpy(&value, s.data + byte, sizeof(value));
	else if (left > 0)
		memcpy(&value, s.data + byte, left);
	value = endian_u32(&value) >> *at % 8 & ((1u << n) - 1);
	*at += n;
	return value;
}

/* Section 4.1.1. */
int fse_counts(struct span s, unsigned int log_max, unsigned int symbol_max,
	       int16_t counts[static 256], unsigned int *ret_symbols, unsigned int *ret_log)
{
	size_t at = 0;
	unsigned int log = front_bits(s, &at, 4) + 5, symbol = 0;
	int32_t remaining = 1 << log;

	if (log > log_max)
		return -EBADMSG;
	while (remaining > 0 && symbol <= symbol_max) {
		unsigned int n = bits_highest((uint32_t)remaining + 1) + 1;
		uint32_t value = front_bits(s, &at, n), low = (1u << (n - 1)) - 1;
		uint32_t short_ones = (1u << n) - 1 - ((uint32_t)remaining + 1);
		int32_t count;

		if ((value & low) < short_ones) {
			at--;
			value &= low;
		} else if (value > low) {
			value -= short_ones;
		}
		count = (int32_t)value - 1;
		remaining -= count < 0 ? 1 : count;
		counts[symbol++] = (int16_t)count;
		for (uint32_t more = count == 0 ? 3 : 0; more == 3;) {
			more = front_bits(s, &at, 2);
			for (uint32_t i = 0; i < more && symbol <= symbol_max; i++)
				counts[symbol++] = 0;
		}
	}
	if (remaining != 0 || (at + 7) / 8 > s.len)
		return -EBADMSG;
	*ret_symbols = symbol;
	*ret_log = log;
	return (int)((at + 7) / 8);
}

/* Section 4.1.1, "From normalized distribution to decoding tables". */
void fse_build(struct fse *t, const int16_t *counts, unsigned int symbols, unsigned int log)
{
	unsigned int size = 1u << log, high = size, at = 0;
	uint16_t next[256];

	for (unsigned int s = 0; s < symbols; s++) {
		next[s] = counts[s] < 0 ? 1 : (uint16_t)counts[s];
		if (counts[s] < 0)
			t->cells[--high].symbol = (uint8_t)s;
	}
	for (unsigned int s = 0; s < symbols; s++) {
		for (int i = 0; i < counts[s]; i++) {
			t->cells[at].symbol = (uint8_t)s;
			do
				at = (at + (size >> 1) + (size >> 3) + 3) & (size - 1);
			while (at >= high);
		}
	}
	for (unsigned int i = 0; i < size; i++) {
		struct fse_cell *cell = &t->cells[i];
		uint16_t n = next[cell->symbol]++;

		cell->bits = (uint8_t)(log - bits_highest(n));
		cell->base = (uint16_t)((n << cell->bits) - size);
	}
	t->log = log;
	t->ready = true;
}
