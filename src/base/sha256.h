#pragma once

/*
 * sha256 - a digest of bytes
 *
 * FIPS 180-4. For naming a set of files by what is in it, the same everywhere;
 * sha256sum(1) can check it.
 */

#include "base/span.h"

#define SHA256_HEX 65 /* with the NUL */

struct sha256 {
	uint32_t state[8];
	uint64_t bytes;
	unsigned char block[64];
};

void sha256_init(struct sha256 *s);
void sha256_add(struct sha256 *s, struct span bytes);
void sha256_end(struct sha256 *s, char ret_hex[static SHA256_HEX]);
