#pragma once

/*
 * quote - a value that stands wholly in one pair of quotes
 *
 * '...' or "...", where only the double ones know a backslash. A value that is
 * partly quoted ("a"b, "a" "b") is left as it is.
 */

#include "base/span.h"

/* Drop the pair. Returns the quote that was dropped, or 0 and changes nothing. */
char quote_strip(struct span *value);
