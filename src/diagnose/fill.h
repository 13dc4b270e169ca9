#pragma once

/*
 * fill - sentences of the knowledge with facts put in
 *
 * {subject}, {value}, {source} and {home} are replaced, {user} and {group} by the
 * parts of a value USER:GROUP; anything else stays as it is, and there are no
 * formats. Values of a statement are foreign bytes: whoever fills them in cleans
 * and bounds them before (fill_clean).
 */

#include "base/arena.h"

#define FILL_VALUE_MAX 400 /* bytes of one value; a longer one ends in "..." */

struct fill {
	const char *subject; /* empty: "this machine" */
	const char *value;
	const char *source;
	const char *home;
	const char *user, *group; /* NULL: the value has no such parts */
};

/* Whether it has a hole that needs what is not known. */
bool fill_lacks(struct span sentence, const struct fill *with);

const char *fill_text(struct arena *a, const char *sentence, const struct fill *with);

/* Foreign bytes as clean text, cut if longer than the limit. */
const char *fill_clean(struct arena *a, struct span bytes, size_t limit, bool keep_lines);
