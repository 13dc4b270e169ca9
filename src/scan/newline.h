#pragma once

/*
 * newline - counted and found sixteen bytes at a time
 *
 * Every byte of a log is counted over, and around every nominated place the
 * ends of its line are looked for.
 */

#include "base/span.h"

uint64_t newline_count(struct span s); /* newlines in it */

/* The first newline or return in the span, or its length. */
size_t newline_end(struct span s);

/* The start of the last line of the span: after its last newline or return, or 0. */
size_t newline_begin(struct span s);
