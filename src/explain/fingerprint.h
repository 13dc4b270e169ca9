#pragma once

/*
 * fingerprint - the same name for the same failure
 *
 * Made of the words of the line that tells it. What differs between two reports
 * of one failure is left out: digits (addresses, line numbers, sizes, versions,
 * devices) and units, the directories of paths, and what the kernel's log, a
 * rank or a logger put in front. Which line it is rarely depends on the
 * knowledge, and its name never does.
 */

#include "explain/explain.h"

/* 16 digits of hex, or NULL of a text without a failure or whose line has no words. */
const char *fingerprint(struct arena *a, const struct explanation *e);

/* The words of a line that count, small, parted by a blank. */
void fingerprint_words(struct span line, struct buf *ret);
