#pragma once

/*
 * matrix - a small matrix product, for the BLAS libraries
 *
 * C = A B, column by column, with no two sides alike and small whole numbers
 * throughout: the result is exact in float and in half precision, whatever the
 * order of the sums, so it is compared for equality.
 */

#include <stdint.h>

#define MATRIX_M 48
#define MATRIX_N 32
#define MATRIX_K 64

enum matrix_kind {
	MATRIX_FLOAT,
	MATRIX_HALF,
};

struct matrix_product {
	enum matrix_kind kind;
	void *a, *b, *c; /* in the memory of the current device */
};

/* A whole number from 0 to 2048 in half precision. */
uint16_t matrix_half(unsigned number);

/* C is full of a number that cannot come out. */
void matrix_upload(enum matrix_kind kind, struct matrix_product *ret);

/* Ends with `wrong` unless C is right. */
void matrix_check(const struct matrix_product *product);
