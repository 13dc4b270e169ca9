#pragma once

/*
 * siphash - SipHash-2-4, a keyed hash of 64 bits
 *
 * Used where equal bytes must stay equal and nobody without the key may find
 * them: the scrubbed names of a snapshot. SipHash-1-3 is the quick one, for
 * tables keyed by foreign text, of which nobody ever sees a hash.
 */

#include "base/span.h"

struct siphash_key {
	uint64_t k0, k1;
};

uint64_t siphash(struct siphash_key key, struct span s);
uint64_t siphash_quick(struct siphash_key key, struct span s);
