#pragma once

/*
 * about - whether a text is about an AMD GPU, another vendor's, or none at all
 *
 * For those who sort reports by it. data/about.tsv says which cause, origin, fact, signature and
 * word speaks for what. A failure in which no GPU has a part is "not-gpu" whatever GPU the text
 * names; an AMD GPU goes before another one that is named beside it.
 */

#include "explain/explain.h"

/* "amd", "other-gpu", "not-gpu", or NULL: the text does not say. */
const char *about(const struct explanation *e);
