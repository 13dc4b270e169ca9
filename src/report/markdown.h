#pragma once

/*
 * markdown - texts that are not ours, in Markdown for trackers
 *
 * Nothing that is handed in becomes a tag, an emphasis, a table cell, a link or
 * a mention of somebody.
 */

#include "base/buf.h"

void markdown_plain(struct buf *out, const char *text); /* on one line */
void markdown_code(struct buf *out, const char *text);  /* `text`, also in the cell of a table */
