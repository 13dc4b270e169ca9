/*
 * gemm.h - C = alpha A B + beta C, column by column, for the fakes of BLAS
 *
 * `wrong` spoils one cell.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline float half_to_float(uint16_t half)
{
	uint32_t exponent = half >> 10 & 31, bits = 0;
	float result;

	if (exponent) /* the products that are asked for have no tiny numbers, infinities or signs */
		bits = (exponent + 112) << 23 | (uint32_t)(half & 0x3ff) << 13;
	memcpy(&result, &bits, sizeof(result));
	return result;
}

static inline uint16_t float_to_half(float number)
{
	uint32_t bits;

	memcpy(&bits, &number, sizeof(bits));
	return number == 0 ? 0 : (uint16_t)(((bits >> 23) - 112) << 10 | (bits >> 13 & 0x3ff));
}

static inline void gemm_float(int m, int n, int k, float alpha, const float *a, int lda,
			      const float *b, int ldb, float beta, float *c, int ldc, bool wrong)
{
	for (int column = 0; column < n; column++) {
		for (int row = 0; row < m; row++) {
			float *cell = &c[column * ldc + row], sum = 0;

			for (int i = 0; i < k; i++)
				sum += a[i * lda + row] * b[column * ldb + i];
			*cell = alpha * sum + (beta != 0 ? beta * *cell : 0);
		}
	}
	if (wrong)
		c[(n - 1) * ldc + m / 2] += 1;
}

static inline void gemm_half(int m, int n, int k, const uint16_t *a, int lda, const uint16_t *b,
			     int ldb, uint16_t *c, int ldc, bool wrong)
{
	for (int column = 0; column < n; column++) {
		for (int row = 0; row < m; row++) {
			float sum = 0;

			for (int i = 0; i < k; i++)
				sum += half_to_float(a[i * lda + row]) *
				       half_to_float(b[column * ldb + i]);
			c[column * ldc + row] = float_to_half(sum);
		}
	}
	if (wrong)
		c[(n - 1) * ldc + m / 2] ^= 1;
}
