#pragma once

/*
 * look - how an answer may look: colours, symbols and columns of this terminal
 */

#include "cli/options.h"
#include "report/page.h"

struct page look_page(struct buf *out, const struct options *o);
