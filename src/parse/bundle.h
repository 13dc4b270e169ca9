#pragma once

/*
 * bundle - the table of a clang offload bundle
 *
 * Magic, a count, and for each entry where its code lies and for whom it is.
 * The code follows and is not looked at. Numbers stand unaligned. The table
 * may be handed over piece by piece: bundle_open says whether more is needed.
 */

#include "base/span.h"

#define BUNDLE_MAGIC       "__CLANG_OFFLOAD_BUNDLE__"
#define BUNDLE_MAGIC_BYTES 24
#define BUNDLE_ENTRIES_MAX 1024 /* real ones have below 40 */
#define BUNDLE_ID_BYTES    4096 /* of one id; real ones have below 60 */
#define BUNDLE_TABLE_MAX   (1u << 20)

struct bundle {
	struct span table; /* from the magic to the end of the last id */
	uint64_t count;
	uint64_t number; /* of the next entry */
	size_t at;
};

struct bundle_entry {
	uint64_t offset; /* from the bundle's first byte */
	uint64_t size;
	struct span id;
};

/*
 * `bytes` begins with the bundle. 0; -ENODATA if the table goes on past them;
 * -ENOEXEC without the magic; -EBADMSG for a count, an id or a table that is
 * beyond the limits above.
 */
int bundle_open(struct span bytes, struct bundle *ret);

/* The same for bytes that may end inside the table: the entries that are whole. */
int bundle_open_cut(struct span bytes, struct bundle *ret);

/* The next entry, or false. */
bool bundle_next(struct bundle *bundle, struct bundle_entry *ret);
