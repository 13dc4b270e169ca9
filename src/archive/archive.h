#pragma once

/*
 * archive - the members of wheels, packages and images, in one pass
 *
 * Nothing is unpacked to disk. A member that is wanted streams through a sieve
 * that keeps the few pages a reader of device code needs (its first pages, the
 * pages that begin a bundle, its last ones), and is then read like a file. In
 * a wheel, members that nobody wants are skipped by a seek.
 */

#include "base/source.h"

struct archive_member {
	const char *name; /* cleaned: no leading "./", no ".." */
	uint64_t size;
	const char
		*inside; /* of a nested archive (data.tar of a .deb, a layer): its name, or NULL */
};

struct archive_visitor {
	/* By name and first bytes (at least 64 if there are as many): is it to be read? */
	bool (*wanted)(void *of, const struct archive_member *m, struct span first);
	void (*member)(void *of, const struct archive_member *m,
		       struct source *s);                       /* wanted ones */
	void (*name)(void *of, const struct archive_member *m); /* every one */
	void *of;
};

/* 0, or -errno with a sentence in *ret_why (static or in the visitor's keeping until the next call). */
int archive_walk(int fd, const char *name, const struct archive_visitor *v, const char **ret_why);

/* By its first bytes: is it a container that we open? */
bool archive_known(struct span first);
