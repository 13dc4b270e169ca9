#pragma once

/*
 * explain-scrubbed - the text itself, without names and secrets
 *
 * For a link, a forum or an issue: what a reader needs to ask about the same text.
 */

#include "cli/options.h"

/* 0, or an exit status after saying what is wrong. */
int explain_scrubbed(const struct options *o);
