#pragma once

/*
 * names - lists of names in data/: a name on each line, then words about it
 *
 * In a name `*` stands for any run of bytes. Blanks part the words. Empty lines
 * and those that begin with # are comments.
 */

#include "base/span.h"

/* The next line that is no comment: its name, and the words after it. False at the end. */
bool names_next(struct span *rest, struct span *ret_name, struct span *ret_words);

bool names_has(const char *list, const char *name);

/* The same; with a word, only lines that have it after the name count. */
bool names_has_as(const char *list, struct span name, const char *word);
