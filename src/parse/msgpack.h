#pragma once

/*
 * msgpack - one value after the other, from a file of any size
 *
 * ROCm keeps its tables of contents in MessagePack: kpack archives, the lazy
 * indexes of Tensile, the reference in a split library. Some have tens of
 * thousands of entries, so nothing is built: the reader goes forward through a
 * small window. A map or an array comes as its head with a count; its members
 * are the values that follow (twice as many for a map).
 *
 * There is no recursion and so no limit of depth. A count that the rest of the
 * input could not hold is refused at its head, so no loop over it is longer
 * than the input.
 */

#include "base/source.h"

enum msgpack_type {
	MSGPACK_NIL,
	MSGPACK_BOOL,
	MSGPACK_UINT,
	MSGPACK_INT, /* negative */
	MSGPACK_FLOAT,
	MSGPACK_STR,
	MSGPACK_BIN,
	MSGPACK_EXT,
	MSGPACK_ARRAY,
	MSGPACK_MAP,
};

#define MSGPACK_WINDOW    4096
#define MSGPACK_TEXT_MAX  1024
#define MSGPACK_ITEMS_MAX (1u << 24)

struct msgpack_item {
	enum msgpack_type type;
	/*
	 * UINT, BOOL: the value. INT: the value, two's complement. STR, BIN, EXT:
	 * bytes. ARRAY: members. MAP: pairs. FLOAT: 0, nobody asks for it.
	 */
	uint64_t number;
	/* STR: its first MSGPACK_TEXT_MAX bytes, good until the next call. */
	struct span text;
};

struct msgpack {
	struct source *source; /* borrowed */
	uint64_t end;
	uint64_t at; /* where the next byte to be read stands */
	uint64_t filled;
	size_t have;
	unsigned int items;
	char window[MSGPACK_WINDOW];
};

/* Values from `at` up to `end` of a source. */
void msgpack_init(struct msgpack *m, struct source *source, uint64_t at, uint64_t end);

/*
 * The next value or head. 0; -ENODATA: the input ends (or has a hole) where
 * more must follow; -EBADMSG: no MessagePack, or a count that lies; -EFBIG:
 * more than MSGPACK_ITEMS_MAX values; -errno of the source.
 */
int msgpack_next(struct msgpack *m, struct msgpack_item *ret);

/* The members of a container whose head was just read, with all that is in them. */
int msgpack_skip_members(struct msgpack *m, const struct msgpack_item *head);

/* The next value with everything in it. */
int msgpack_skip(struct msgpack *m);

bool msgpack_is(const struct msgpack_item *item, const char *text); /* is it this string? */
