/*
 * reach.h - which addresses each GPU may read and write: what its page tables hold
 *
 * Only whether: an address of a GPU is the same address of the process.
 */
#pragma once

#include "gpu.h"

/* Bit n stands for the nth GPU. */
void reach_add(uint64_t gpus, uint64_t address, uint64_t size);
void reach_remove(uint64_t gpus, uint64_t address, uint64_t size);

/* Whether the GPU reaches all of these bytes; of ranges that lie side by side, too. */
bool reach_holds(const struct gpu *gpu, uint64_t address, uint64_t size);

/* The range that an address lies in; false if no GPU reaches it. */
bool reach_bounds(uint64_t address, uint64_t *ret_start, uint64_t *ret_end);
