#pragma once

/*
 * maps - /proc/PID/maps, what a process has mapped
 *
 *	7f2c4a000000-7f2c4a021000 r-xp 00003000 fe:01 1234  /opt/rocm/lib/libamdhip64.so.6
 *
 * The path goes to the end of the line; the kernel writes a newline in it as
 * \012 and marks a file that is gone by " (deleted)" after its name.
 */

#include "base/span.h"

/* The next mapping of a file that is still there; false at the end. */
bool maps_next_file(struct span *rest, struct span *ret_path);

/* The next mapping that can be executed; the path may be empty, or a name as [vdso]. */
struct maps_code {
	uint64_t start, end, offset;
	struct span path;
};
bool maps_next_code(struct span *rest, struct maps_code *ret);

/* Is it the library of this name, as "amdhip64" for libamdhip64.so.6.4.60401? */
bool maps_is_library(struct span path, const char *name);
