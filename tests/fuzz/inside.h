#pragma once

/*
 * inside - what every parser promises about the spans it hands out
 *
 * A part must lie in the bytes it was cut from. The first and last byte are
 * read, so that the sanitizer sees a span that only looks right.
 */

#include <stdint.h>
#include <stdlib.h>

#include "base/span.h"

/* assert() that stays on, whatever the build. */
static inline void must(bool good)
{
	if (!good)
		abort();
}

static inline void must_lie_in(struct span part, struct span whole)
{
	volatile char byte;

	if (part.len == 0)
		return;
	must(part.data >= whole.data && part.len <= whole.len &&
	     part.data + part.len <= whole.data + whole.len);
	byte = part.data[0];
	byte = part.data[part.len - 1];
	(void)byte;
}
