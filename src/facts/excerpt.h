#pragma once

/*
 * excerpt - lines of a file of which the door served only some
 *
 *	12:export HSA_OVERRIDE_GFX_VERSION=11.0.0
 */

#include "base/span.h"

/* The next line and its number in the file; false at the end. */
bool excerpt_next(struct span *rest, struct span *ret_line, unsigned int *ret_number);
