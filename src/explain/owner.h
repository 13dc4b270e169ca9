#pragma once

/*
 * owner - whose machine a sentence tells of
 *
 * "On my RX 7900 XTX with ROCm 6.2" is the writer's; "works on my friend's
 * 7900", "supported on MI300X" and "it was fine with ROCm 6.1" are not what
 * failed. Where a sentence leaves it open, nothing is taken.
 */

#include "explain/mention.h"

#define OWNER_MENTIONS 32

struct owned {
	struct mention list[OWNER_MENTIONS];
	bool owns[OWNER_MENTIONS];
	size_t count;
};

/* What the line names, and which of it is the writer's. `cue`: its first word is, as behind a label. */
void owner_read(const struct token_line *line, bool cue, struct owned *ret);
