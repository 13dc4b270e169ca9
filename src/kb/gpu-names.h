#pragma once

/*
 * gpu-names - what people call a GPU, and which instruction set that is
 *
 * "7900 xtx", "Strix Halo" and "gfx1100" alike. Names come from the knowledge
 * (gfx_target) and from the products by PCI id that the program carries. A
 * name must have all words of what was asked; of several that have, one with
 * no other words is meant. What is sold with two instruction sets is not
 * guessed at. Where no GPU has the name, a processor may: "5700G" is the GPU
 * inside (processor). A number with a letter is no slip for one with another
 * letter, and no processor is offered for one that is written alike. A name in a longer text is another question: there the name must
 * be in the text, and the longest counts.
 */

#include <sqlite3.h>

#include "base/arena.h"
#include "base/buf.h"

struct gpu_named {
	const char *name;
	const char *gfx;
	const char *example; /* a processor that has it, for a name of several GPUs; or NULL */
};

enum gpu_names_answer { GPU_NAMES_ONE, GPU_NAMES_SEVERAL, GPU_NAMES_NONE };

/*
 * One: ret[0]. Several: one row for each gfx that it may be. None: names that
 * are written alike, if there are any. *ret_count is the number of rows.
 */
enum gpu_names_answer gpu_names_find(sqlite3 *db, struct arena *a, const char *asked,
				     struct gpu_named **ret, size_t *ret_count);

/* What to tell whoever asked for none or several, in one sentence. */
void gpu_names_tell(enum gpu_names_answer answer, const char *asked, const struct gpu_named *list,
		    size_t count, struct buf *ret);

struct gpu_said {
	struct span gfx; /* in the arena */
	bool integrated;
};

/*
 * Which product a text names: "rx 7900xtx", "a 780M of a laptop", "MI250X". The longest
 * name that is said counts; one that is sold as two targets does not. Names of the
 * knowledge count where it is attached and no product is named: "Ryzen AI Max+ 395".
 */
bool gpu_names_said(sqlite3 *db, struct arena *a, struct span text, struct gpu_said *ret);
