#pragma once

/*
 * map - from bytes to a pointer
 *
 * Open addressing, keys borrowed, no removal. The hash is keyed per process,
 * because keys come out of files that strangers wrote.
 */

#include "base/span.h"

struct map {
	struct map_slot *slots;
	size_t count;
	size_t cap; /* a power of two, or 0 */
};

void *map_find(const struct map *m, struct span key);      /* NULL if absent */
void map_put(struct map *m, struct span key, void *value); /* replaces */
void map_done(struct map *m);
