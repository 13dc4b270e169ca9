#pragma once

/*
 * left-memory - memory of a GPU that stays in use when the job is dead
 */

#include "run/evidence.h"
#include "run/sampler.h"

#define LEFT_MEMORY_MIN ((int64_t)256 << 20) /* less may be the driver's own */

/*
 * The growth of the memory in use, less the growth that living processes hold. 0:
 * it is not known, or too little to report.
 */
int64_t left_memory_bytes(int64_t used_before, int64_t held_before, int64_t used, int64_t held);

/* Waits for two seconds at most, and only where much is still in use. Notes what it finds. */
void left_memory(struct sampler *p, const struct sample *before,
		 const struct sample_held *held_before, struct evidence *e);
