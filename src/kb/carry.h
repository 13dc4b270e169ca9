#pragma once

/*
 * carry - the rows of rows.h, written down while the program is built
 */

#include "base/buf.h"

/* Of the kb.db that was just compiled. 0 or -EIO. */
int carry_rows(struct span kb, struct buf *ret);
