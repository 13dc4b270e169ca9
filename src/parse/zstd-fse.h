#pragma once

/*
 * zstd-fse - tables of finite state entropy codes, RFC 8878, section 4.1
 *
 * A state is a cell: it stands for a symbol, and says how many bits lead to the
 * next one.
 */

#include "parse/zstd-bits.h"

#define FSE_LOG 9

struct fse_cell {
	uint16_t base;
	uint8_t symbol, bits;
};

struct fse {
	unsigned int log;
	bool ready;
	struct fse_cell cells[1 << FSE_LOG];
};

/* How often each symbol stands in the table. The bytes used, or -EBADMSG. */
int fse_counts(struct span s, unsigned int log_max, unsigned int symbol_max,
	       int16_t counts[static 256], unsigned int *ret_symbols, unsigned int *ret_log);
void fse_build(struct fse *t, const int16_t *counts, unsigned int symbols, unsigned int log);

static inline void fse_next(const struct fse *t, uint32_t *state, struct bits *b)
{
	const struct fse_cell *cell = &t->cells[*state];

	*state = cell->base + bits_read(b, cell->bits);
}
