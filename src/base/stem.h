#pragma once

/*
 * stem - the words of a text as they are compared: small letters, without their ending
 *
 *   "ROCm crashed, gfx1100 hangs"   rocm, crash, gfx1100, hang
 *
 * A word begins with a letter and has letters and digits of ASCII. One that is shorter
 * than two or longer than STEM_MAX bytes is passed over: a single letter says nothing,
 * and what is longer is a symbol or a digest.
 */

#include "base/span.h"

#define STEM_MAX 24

struct stem {
	char text[STEM_MAX + 1];
	struct span word; /* as it stands in the text, with its ending */
};

/* False after the last one; `rest` is what follows. */
bool stem_next(struct span *rest, struct stem *ret);
