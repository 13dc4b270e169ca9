#pragma once

/*
 * left-memory - memory of a GPU that stays in use when the job is dead
 */

#include "run/evidence.h"
#include "run/sampler.h"

#define LEFT_MEMORY_MIN ((int64_t)256 << 20) /* less may be the driver's own */

/*
 * How much more is used than before, beyond what living processes hold more
 * than before. 0: it is not known, or too little to speak of.
 */
int64_t left_memory_bytes(int64_t used_before, int64_t held_before, int64_t used, int64_t held);

/* Waits for two seconds at most, and only where much is still in use. Notes what it finds. */
void left_memory(struct sampler *p, const struct sample *before,
		 const struct sample_held *held_before, struct evidence *e);
