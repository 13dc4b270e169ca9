#pragma once

/*
 * read-bundle - the targets of one bundle, plain or compressed
 */

#include "code/gather.h"

enum bundle_kind {
	BUNDLE_KIND_NOTHING,
	BUNDLE_KIND_PLAIN,
	BUNDLE_KIND_CCOB,
};

/* By the first bytes. */
enum bundle_kind bundle_kind(struct span bytes);

/* The page that begins at a place, into g->page; how many bytes, or -errno. */
int64_t bundle_page(struct gather *g, struct source *s, uint64_t at);

/* A bundle that begins here. Its end, or 0 if that is not known. */
uint64_t bundle_read(struct gather *g, struct source *s, uint64_t at, struct span head);
