#pragma once

/*
 * gfx - names and numbers of GPU instruction sets
 *
 * The kernel counts in decimal pairs (90010, 110501), LLVM writes a name whose
 * last two digits are hexadecimal (gfx90a, gfx1151), and the override variable
 * is decimal with dots (9.0.10, 11.5.1). Only these functions convert.
 */

#include "base/span.h"

#define GFX_NAME_MAX 16

/*
 * gfx_target_version of a KFD node to a name. -ENODEV for 0, which is a CPU
 * node; -EBADMSG for a number that no name can express.
 */
int gfx_name(uint32_t kfd_version, char ret[static GFX_NAME_MAX]);

/*
 * The reverse. Takes a bare processor: cut the features (":xnack-") off first.
 * False for generic targets (gfx11-generic), which have no number.
 */
bool gfx_version(struct span name, uint32_t *ret);

/* HSA_OVERRIDE_GFX_VERSION, read exactly as libhsakmt reads it. */
struct gfx_override {
	uint32_t major;    /* at most 63 */
	uint32_t minor;    /* at most 255 */
	uint32_t stepping; /* at most 255 */
};

/* False when libhsakmt would call it invalid and find no GPU at all. */
bool gfx_override_parse(struct span text, struct gfx_override *ret);

/* -EBADMSG for a well-formed override that no target answers to (11.16.0). */
int gfx_override_name(const struct gfx_override *override, char ret[static GFX_NAME_MAX]);
