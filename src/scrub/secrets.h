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
#include "scrub/secret-rules.h"

struct secret {
	struct span text;
	enum secret_kind kind;
};

struct secrets {
	struct arena arena;
	struct map names;  /* in small letters -> struct secret */
	struct map firsts; /* the first word of names -> size_t, how long the longest of them is */
	bool begins[256];  /* whether one begins with this byte, in lower case */
	struct map numbers[2]; /* an id, as decimal and as hexadecimal digits -> uint64_t */
	struct map judged;     /* names that were looked at once */
};

/* All that the text of a snapshot tells; into a zeroed struct, and more than once. */
void secrets_gather(struct secrets *s, const struct secret_rules *rules, struct span snapshot);
void secrets_done(struct secrets *s);

/* The longest name that stands at a place where a word begins, or NULL. */
const struct secret *secrets_at(const struct secrets *s, struct span text, size_t at);

/* Does a place of names, as "/home/", begin at `at`, with a name after it? NULL: no. */
const struct secret_rule *secrets_place(const struct secret_rules *rules, struct span text,
					size_t at, size_t *ret_start, size_t *ret_len);
