#pragma once

/*
 * keyvals - lines of "key value", as KFD prints its properties
 *
 *	simd_count 192
 *	gfx_target_version 110000
 *	unique_id 11673270660693242239
 *
 * A key with nothing after it has an empty value; empty lines are skipped.
 * When a key stands twice, the first one counts.
 */

#include "base/span.h"

bool keyvals_next(struct span *rest, struct span *ret_key, struct span *ret_value);
bool keyvals_find(struct span text, const char *key, struct span *ret_value);
bool keyvals_u64(struct span text, const char *key, uint64_t *ret); /* decimal only */
