#pragma once

/*
 * terminal-style - how a report may look where it goes
 *
 * Colours and symbols only on a terminal that has them and for a user who
 * wants them; everywhere else the same bytes every time.
 */

#include "report/page.h"

/* --color: always, never, or NULL and auto for what terminal and NO_COLOR say. */
void terminal_color(const char *when);

struct page terminal_page(struct buf *out, const char *output); /* output: -o, or NULL */
