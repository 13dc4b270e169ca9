#pragma once

/*
 * names - what people call a GPU, and which instruction set that is
 *
 * "7900 xtx", "Strix Halo" and "gfx1100" alike. Names come from the knowledge
 * (gfx_target) and from the products by PCI id that the program carries. A
 * name must have all words of what was asked; of several that have, one with
 * no other words is meant. What is sold with two instruction sets is not
 * guessed at.
 */

#include <sqlite3.h>

#include "base/arena.h"
#include "base/buf.h"

struct named {
	const char *name;
	const char *gfx;
};

enum names_answer { NAMES_ONE, NAMES_SEVERAL, NAMES_NONE };

/*
 * One: ret[0]. Several: one row for each gfx that it may be. None: names that
 * are written alike, if there are any. *ret_count is the number of rows.
 */
enum names_answer names_find(sqlite3 *db, struct arena *a, const char *asked, struct named **ret,
			     size_t *ret_count);

/* What to tell whoever asked for none or several, in one sentence. */
void names_tell(enum names_answer answer, const char *asked, const struct named *list, size_t count,
		struct buf *ret);
