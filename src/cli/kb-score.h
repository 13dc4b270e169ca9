#pragma once

/*
 * kb-score - the knowledge measured on labelled failures
 */

#include "cli/options.h"

/* `kb score FILE.jsonl`: 0, or an exit status. */
int kb_score(const struct options *o);
