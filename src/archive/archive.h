#pragma once

/*
 * archive - the members of wheels, packages and images, in one pass
 *
 * Nothing is unpacked to disk. A member that is wanted streams through a sieve
 * that keeps the few pages a reader of device code needs (sieve.h), and is
 * then read like a file. In a wheel, members that nobody wants are skipped by
 * a seek. Archives in archives (the data.tar of a .deb, the layers of an
 * image) are opened as they come by.
 *
 * Everything in an archive is a stranger's: names are cleaned, and members,
 * bytes and nesting have limits.
 */

#include "archive/sieve.h"
#include "base/buf.h"

#define ARCHIVE_NESTING_MAX 3       /* an image, its layer, a wheel in that */
#define ARCHIVE_MEMBERS_MAX 1000000 /* files, links and directories */
/* Limits of the output: this many times the file's size, and this size for small files. */
#define ARCHIVE_TIMES_MAX 200
#define ARCHIVE_SMALL_MAX ((uint64_t)1 << 30)

struct archive_member {
	const char *name;   /* clean text; no leading "/" or "./", no ".." */
	uint64_t size;      /* 0 if the archive does not say yet */
	const char *inside; /* the nested archive it stands in ("data.tar.xz"), or NULL */
};

struct archive_visitor {
	/* Every file, in the archive's order. False: by its name it cannot be wanted. */
	bool (*name)(void *of, const struct archive_member *m);
	/* By its first bytes, 4096 if there are as many: is it to be read? */
	bool (*wanted)(void *of, const struct archive_member *m, struct span first);
	/* One that was wanted, whole or cut short (`why`, else NULL). The sieve is the visitor's. */
	void (*member)(void *of, const struct archive_member *m, struct sieve *take,
		       const char *why);
	void *of;
};

/*
 * 0, or -errno with a sentence in *ret_why: -ENOTSUP if it is no archive that
 * we read, -EFBIG at a limit, -EBADMSG if it is damaged. What was read before
 * that has been visited.
 */
int archive_walk(int fd, const struct archive_visitor *v, struct buf *ret_why);

/* The version of libarchive, or NULL without it. */
const char *archive_library(void);

/* By its first bytes (512 are enough): is it a container that we open? */
bool archive_known(struct span first);

/* By its name: is it one that people put libraries into? Not every .gz and .zip. */
bool archive_named(struct span name);
