#pragma once

/*
 * kernel-version - the numbers in front of a kernel or driver release
 *
 * "6.8.0-45-generic", "6.12.107+deb13-amd64", "7.3~rc7" and a DKMS "6.10.5"
 * all begin with the numbers that mainline knows; what a distribution writes
 * behind them says nothing about order and is not compared.
 */

#include "base/span.h"

struct kernel_version {
	uint32_t major;
	uint32_t minor;
	uint32_t patch; /* 0 if absent */
};

/* Needs two numbers at least; false otherwise. */
bool kernel_version_parse(struct span text, struct kernel_version *ret);

/* Below, at or above 0, as a stands before, with or after b. */
int kernel_version_compare(const struct kernel_version *a, const struct kernel_version *b);
