#pragma once

/*
 * secrets - names that must not leave with a snapshot
 *
 * Users, hosts, serials and ids of chips, found where a machine keeps them:
 * whose process it is, home directories, units, the files of a GPU. What looks
 * like one without being told anywhere (a uuid, a token) has a shape
 * (shapes.h); what is done about either is scrub.h.
 */

#include "base/arena.h"
#include "base/map.h"
#include "base/span.h"

enum secret_kind {
	SECRET_USER,
	SECRET_HOST,
	SECRET_SERIAL,
	SECRET_TOKEN,
	SECRET_UUID,
	SECRET_ID,
	SECRET_KINDS,
};

struct secret {
	struct span text;
	enum secret_kind kind;
	struct secret *next; /* that begins with the same letter, of either case */
};

struct secrets {
	struct arena arena;
	struct secret *by_first[256]; /* by their first byte, in lower case */
	struct map numbers[2];        /* an id, as decimal and as hexadecimal digits -> uint64_t */
	struct map judged;            /* names that were looked at once */
};

/* All that the text of a snapshot tells; into a zeroed struct, and more than once. */
void secrets_gather(struct secrets *s, struct span snapshot);
void secrets_done(struct secrets *s);

/* A directory whose entries are names, as "/home/". */
struct secret_place {
	const char *before;
	enum secret_kind kind;
	bool top;    /* only at the beginning of a path */
	bool blanks; /* Windows has them in names: "/mnt/c/Users/Ada Lovelace/x" */
};

/* Does one begin at `at`, with a name after it? NULL: no. */
const struct secret_place *secrets_place(struct span text, size_t at, size_t *ret_start,
					 size_t *ret_len);
