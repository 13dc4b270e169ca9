#pragma once

/*
 * source - bytes at offsets
 *
 * What a reader of large files needs and nothing more: the size, and n bytes
 * at a place. Behind it stands a descriptor (pread, never mmap: a file that
 * shrinks must not kill us), memory, or the few pages that were kept while a
 * member of an archive streamed by. A hole, the end and a failed disk are
 * errors of one read, not of the whole.
 */

#include "base/span.h"

struct source {
	uint64_t size;
	uint64_t asked; /* bytes read so far: the cost, and what a budget counts */
	uint64_t limit; /* reads beyond it answer -EFBIG; 0: none */
	int (*read)(const struct source *s, uint64_t at, void *ret, size_t n);

	/*
	 * The first kept offset >= from. A source without holes has none of it; it
	 * lets a search go from page to page instead of over gigabytes.
	 */
	bool (*kept)(const struct source *s, uint64_t from, uint64_t *ret);
	const void *of;
	uint64_t
		start; /* of a part: where it begins in the whole, even if it is a part of a part */
	int fd;
	struct span head; /* bytes from 0 on that the opener has read: not read again */
};

struct source source_memory(struct span bytes);   /* borrowed */
struct source source_file(int fd, uint64_t size); /* the descriptor stays the caller's */

/* Bytes of another source, which stays the caller's and pays for the reads; cut at its end. */
struct source source_part(struct source *of, uint64_t at, uint64_t size);

/* Exactly n bytes: 0, -ENODATA for any byte beyond the end or in a hole, -EFBIG, -EIO. */
int source_read(struct source *s, uint64_t at, void *ret, size_t n);

/* As many of n as there are up to the end: their number, or -errno. */
int64_t source_some(struct source *s, uint64_t at, void *ret, size_t n);

/* A little-endian number, which may stand anywhere. */
int source_u32(struct source *s, uint64_t at, uint32_t *ret);
