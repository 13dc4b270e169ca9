#include "prober/matrix.h"

#include <stddef.h>

#include "prober/hip.h"

#define CELLS_MAX (MATRIX_M * MATRIX_K)
#define NEVER     2000u /* no cell of C is more than 3 * 3 * K */

_Static_assert(MATRIX_K *MATRIX_N <= CELLS_MAX && MATRIX_M * MATRIX_N <= CELLS_MAX,
	       "A is the largest");
_Static_assert(3 * 3 * MATRIX_K < NEVER && NEVER <= 2048, "half precision is exact up to 2048");

static union {
	float floats[CELLS_MAX];
	uint16_t halves[CELLS_MAX];
} cells;

uint16_t matrix_half(unsigned number)
{
	unsigned exponent = 15, bits = number;

	if (number == 0)
		return 0;
	for (; bits > 1; bits >>= 1)
		exponent++;
	return (uint16_t)(exponent << 10 | (number << (25 - exponent) & 0x3ff));
}

static unsigned cell_of_a(unsigned row, unsigned column)
{
	return (row * 3 + column * 5 + row * column) % 4;
}

static unsigned cell_of_b(unsigned row, unsigned column)
{
	return (row * 7 + column + row * column * 2 + 1) % 4;
}

static unsigned never(unsigned row, unsigned column)
{
	(void)row;
	(void)column;
	return NEVER;
}

static size_t cell_size(enum matrix_kind kind)
{
	return kind == MATRIX_HALF ? sizeof(cells.halves[0]) : sizeof(cells.floats[0]);
}

static void *upload(enum matrix_kind kind, unsigned rows, unsigned columns,
		    unsigned (*cell)(unsigned, unsigned))
{
	for (unsigned column = 0; column < columns; column++) {
		for (unsigned row = 0; row < rows; row++) {
			unsigned number = cell(row, column);

			if (kind == MATRIX_HALF)
				cells.halves[column * rows + row] = matrix_half(number);
			else
				cells.floats[column * rows + row] = (float)number;
		}
	}
	return hip_upload(&cells, rows * columns * cell_size(kind));
}

void matrix_upload(enum matrix_kind kind, struct matrix_product *ret)
{
	ret->kind = kind;
	ret->a = upload(kind, MATRIX_M, MATRIX_K, cell_of_a);
	ret->b = upload(kind, MATRIX_K, MATRIX_N, cell_of_b);
	ret->c = upload(kind, MATRIX_M, MATRIX_N, never);
}

void matrix_check(const struct matrix_product *product)
{
	hip_download(&cells, product->c, MATRIX_M * MATRIX_N * cell_size(product->kind));
	for (unsigned i = 0; i < MATRIX_M * MATRIX_N; i++) {
		unsigned row = i % MATRIX_M, column = i / MATRIX_M, wanted = 0;

		for (unsigned k = 0; k < MATRIX_K; k++)
			wanted += cell_of_a(row, k) * cell_of_b(k, column);
		if (product->kind == MATRIX_HALF && cells.halves[i] != matrix_half(wanted))
			wire_wrong("row %u column %u is 0x%04x, not %u", row, column,
				   cells.halves[i], wanted);
		if (product->kind == MATRIX_FLOAT && cells.floats[i] != (float)wanted)
			wire_wrong("row %u column %u is %g, not %u", row, column,
				   (double)cells.floats[i], wanted);
	}
}
