#pragma once

/*
 * names - lists of names in data/: one on a line, `*` at its end for any letters
 *
 * Empty lines and those that begin with # are comments.
 */

#include "base/span.h"

bool names_has(const char *list, const char *name);
