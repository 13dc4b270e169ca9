#pragma once

/*
 * pattern - bytes that no page, no stride and no zeroed block repeats
 *
 * For copies: what comes back must be what went there.
 */

#include <stddef.h>

/* Fills whole words; the rest is zero. Ends the process if this host has no memory. */
unsigned char *pattern_new(size_t size);

/* Ends with `wrong` at the first word that differs. */
void pattern_check(const unsigned char *bytes, size_t size);
