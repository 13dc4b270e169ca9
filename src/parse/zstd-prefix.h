#pragma once

/*
 * zstd-prefix - the first bytes of a zstd frame, and no more work than that
 *
 * libzstd unpacks whole blocks of 128 KiB; the table of a compressed bundle is
 * its first kilobyte. Inside a block literals and sequences can be decoded one
 * after the other, from the ends of their streams, so a few small reads and a
 * few hundred symbols are enough: some microseconds instead of hundreds.
 *
 * Half a decoder on purpose: no dictionaries, no checksum, nothing is said
 * about what lies behind. Where it fails, libzstd has the last word.
 */

#include "base/source.h"

/* Of what was unpacked so far: how many bytes will do; SIZE_MAX if that cannot be told yet. */
typedef size_t zstd_goal(struct span so_far);

/*
 * Unpack up to `want` bytes from the blocks that begin at `at` (behind the
 * frame's header), or as many as the goal says, which may be NULL. Their
 * number, with *ret_ended if the frame ends there; -EBADMSG, -ENODATA if it
 * goes on behind `end`, or what the source answered.
 */
int64_t zstd_prefix(struct source *s, uint64_t at, uint64_t end, unsigned char *ret, size_t want,
		    zstd_goal *goal, bool *ret_ended);
