#pragma once

/*
 * cmdline - the kernel's command line
 *
 *	BOOT_IMAGE=/vmlinuz ro quiet amdgpu.gttsize=98304 dyndbg="file a.c +p"
 *
 * Double quotes hold blanks together, around a value or around the whole
 * parameter, and are dropped as the kernel drops them. There is no escape.
 * What follows "--" belongs to init and is not handed out.
 */

#include "base/span.h"

struct cmdline_param {
	struct span name;
	struct span value;
	bool has_value; /* false for a bare word, true for "name=" */
};

bool cmdline_next(struct span *rest, struct cmdline_param *ret);
