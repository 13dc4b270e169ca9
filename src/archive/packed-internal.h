#pragma once

/*
 * packed-internal - what the unpackers of packed.h share
 */

#include "archive/packed.h"
#include "base/arena.h"
#include "base/buf.h"

/* One format. */
struct packed_format {
	const char *name, *magic;
	void *(*begin)(struct packed *p);
	/* Bytes that came out, 0 at the end; what is wrong is left in packed_fail(). */
	size_t (*step)(struct packed *p, void *state, char *to, size_t room);
	void (*end)(void *state);
};

struct packed {
	struct arena arena;
	const struct packed_format *format;
	void *state; /* of the format; NULL: not begun */
	int fd;
	struct span rest; /* read, and not taken yet */
	struct buf block;
	uint64_t in, out;
	bool ended; /* nothing more comes in */
	int error;  /* the first: it stays */
	struct buf problem;
};

/* Makes `rest` not empty unless the file has ended or cannot be read, which is an error. */
bool packed_fill(struct packed *p);

void packed_fail(struct packed *p, int error, const char *what);

#define PACKED_CUT "it is cut short"

/* xz and bzip2; in a build without libarchive they fail with -ENOTSUP. */
void *packed_filter_begin(struct packed *p);
size_t packed_filter_step(struct packed *p, void *state, char *to, size_t room);
void packed_filter_end(void *state);
