#pragma once

/*
 * packed - a packed text, unpacked as it is read
 *
 * gzip, zstd, xz and bzip2 are known by their first bytes, never by a name, so
 * that a pipe works like a file. It is a stranger's: what may come out has a
 * limit. What can be unpacked of a stream that is cut or damaged comes out first,
 * and then the error: a log is often packed while it is still being written.
 */

#include <sys/types.h>

#include "base/span.h"

/* Limits of the output: this many times the input's size, and this size for small inputs. */
#define PACKED_TIMES_MAX 200
#define PACKED_SMALL_MAX ((uint64_t)1 << 30)

struct packed;

/* "gzip", "zstd", "xz" or "bzip2" by its first bytes, of which 6 are enough; NULL: not packed. */
const char *packed_name(struct span first);

/*
 * `first` are bytes that were read from `fd` before, at least those that show
 * what it is; both are borrowed until packed_close().
 */
struct packed *packed_open(int fd, struct span first);
struct packed *packed_close(struct packed *p); /* accepts NULL, returns NULL */

/*
 * Returns the number of bytes, 0 at the end, or -errno with packed_problem():
 * -EBADMSG if it is damaged or cut, -EFBIG at the limit, -ENOBUFS if unpacking it
 * takes more memory than another user's file may ask for, -ENOTSUP for xz and
 * bzip2 in a build without libarchive.
 */
ssize_t packed_read(struct packed *p, char *to, size_t room);

/* A sentence about the error that packed_read() gave, or NULL. */
const char *packed_problem(const struct packed *p);
