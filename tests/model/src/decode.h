/*
 * decode.h - the instruction at an address, as a meaning with operands
 *
 * LLVM reads the bytes, in a process of its own (../decoder/decoder.c), and says them in the words of
 * its assembler; those are read here, once for each address. Only what an instruction does is ours.
 */
#pragma once

#include "isa.h"

struct code {
	const char *target; /* "gfx1100" */
	unsigned lanes;
	unsigned generation; /* another number for each dispatch: code may have moved meanwhile */
};

/*
 * NULL if it cannot be run, with a reason: its text, or why nobody could read it. The end is the first
 * byte that is no code any more.
 */
const struct instruction *decode_at(const struct code *code, uint64_t address, uint64_t end,
				    const char **ret_reason);
