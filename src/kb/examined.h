#pragma once

/*
 * examined - that a kb.db was looked at already
 *
 * To read every page and row of a kb.db takes longer than to answer with it. The
 * update that puts one in place has done so, and leaves a line beside it: which
 * program looked, with which schema, at how many bytes with which sum. A kb.db
 * that this line does not fit is looked at again. The sum is for accidents: who
 * could forge the line could write the kb.db, and the program (0012-kb-update.md).
 */

#include "base/buf.h"

#define EXAMINED_END ".examined" /* behind the name of the kb.db */

/* What stands beside a kb.db of these bytes once this program has examined it. */
void examined_text(struct span bytes, struct buf *ret);

/* Whether that stands beside the kb.db at `path`, in a file that nobody else may write. */
bool examined_before(const char *path, struct span bytes);
