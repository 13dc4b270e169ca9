#pragma once

/*
 * origin - where an error that nobody knows comes from
 *
 * By the line itself (a logger's prefix, a component's name) and by the last
 * frame of its traceback. data/origins.tsv has the rows, data/origin-words.tsv
 * what is said and done for each kind.
 */

#include "explain/failure.h"
#include "scan/marks.h"

struct marks *origin_table(void); /* NULL: memory is out */

/* Where ret->last comes from. `frame` is the file of its last frame, or empty. */
void origin_find(struct marks *origins, struct arena *arena, struct span frame,
		 unsigned long frame_line, struct failure *ret);

/* The words of a kind of data/origin-words.tsv, with what stands for {place} and {name}; each may be NULL. */
void origin_say(struct arena *arena, const char *kind, const char *place, const char *name,
		struct failure *ret);

/* The words of a text that cannot be looked at, or not to its end. */
void origin_end(struct arena *arena, struct failure *ret);

/* Whether a file of a traceback belongs to Python itself: what called it says more. */
bool origin_is_python(struct marks *origins, struct span path);
