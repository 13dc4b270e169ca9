#pragma once

/*
 * keys - whose knowledge is believed
 *
 * The list that the program carries (data/kb-keys.txt) and what a site has put
 * into a directory: NAME.pub, as minisign writes it, is trusted, NAME.revoked
 * is the same file of a key that is believed no more. Revoked outweighs
 * trusted, whoever says so. docs/design/0012-kb-update.md.
 */

#include "base/arena.h"
#include "base/buf.h"
#include "parse/minisig.h"

#define KEYS_SITE "/etc/rocsteady/kb-keys.d"
#define KEYS_MAX  64

struct key {
	const char *name;
	const char *until; /* last day of knowledge that it may sign, YYYY-MM-DD; empty: none */
	struct minisig_key key;
	bool revoked;
};

struct keys {
	struct key list[KEYS_MAX];
	size_t count;
	bool doubtful; /* something there could not be read: it may be a revoked one */
};

/* Lines of "trusted NAME YYYY-MM-DD KEY" and "revoked NAME KEY"; # begins a remark. */
void keys_parse(struct span text, struct arena *arena, struct keys *keys, struct buf *said);

/* The carried list and the directory; what could not be read is said, a line each. */
void keys_read(const char *dir, struct arena *arena, struct keys *ret, struct buf *said);

/* By its id; a revoked one before any other. NULL: nobody knows it. */
const struct key *keys_find(const struct keys *keys, const unsigned char id[static MINISIG_ID]);
