#pragma once

/*
 * process-holders - what all processes hold of the GPUs' memory, by their DRM files
 */

#include "door/door.h"

typedef void process_holder_fn(void *ctx, const char *address, int64_t vram);

/*
 * Each client of each GPU once. False: it cannot be told, because somebody's
 * file does not say how much it holds. *ret_denied: processes not looked into.
 */
bool process_holders(struct door *d, process_holder_fn *tell, void *ctx, unsigned int *ret_denied);

/* The same from the text of survey/drm-clients.h. */
bool process_holders_of(struct span text, process_holder_fn *tell, void *ctx,
			unsigned int *ret_denied);
