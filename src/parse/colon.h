#pragma once

/*
 * colon - files of "Key: value": /proc/PID/status, meminfo, cpuinfo, fdinfo
 *
 *	MemTotal:       127098456 kB
 *	model name	: AMD EPYC 9474F 48-Core Processor
 *	drm-pdev:	0000:03:00.0
 *
 * The key ends at the first colon of its line, both sides are trimmed, and
 * lines without a colon are skipped. When a key stands twice (cpuinfo), the
 * first one counts.
 */

#include "base/span.h"

bool colon_next(struct span *rest, struct span *ret_key, struct span *ret_value);
bool colon_find(struct span text, const char *key, struct span *ret_value);
bool colon_find_u64(struct span text, const char *key, uint64_t *ret);
bool colon_find_bytes(struct span text, const char *key, uint64_t *ret);

/*
 * A value of bytes: "127098456 kB", "2048 KiB", "20464 MiB", or a bare number.
 * The kernel's kB is 1024 bytes. False for another unit, and on overflow.
 */
bool colon_bytes(struct span value, uint64_t *ret);
