#pragma once

/*
 * siphash - SipHash-2-4, a keyed hash of 64 bits
 *
 * Used where equal bytes must stay equal and nobody without the key may find
 * them: the scrubbed names of a snapshot, and tables keyed by foreign text.
 */

#include "base/span.h"

struct siphash_key {
	uint64_t k0, k1;
};

uint64_t siphash(struct siphash_key key, struct span s);
