#pragma once

/*
 * look - how a report may look where it goes
 *
 * Colours and symbols only on a terminal that has them and for a user who
 * wants them; everywhere else the same bytes every time.
 */

#include "report/page.h"

struct page look_page(struct buf *out, const char *output); /* output: -o, or NULL */
