#pragma once

/*
 * below - a directory that is not left, and what is opened in it
 *
 * Strangers choose the names in a tree, its links, and what a library refers to.
 * So a directory is opened once, and everything below it is reached from there,
 * with rules for links that the kernel keeps (openat2), also while somebody
 * renames. Nothing is opened before it was looked at: opening a device can act.
 * Without openat2 no link is followed on the way.
 *
 * windows/below.c does it by names, for builds that have no descriptors of directories.
 */

#include <fcntl.h>
#include <sys/stat.h>

#include "base/arena.h"

struct below {
	int fd;           /* O_PATH */
	const char *name; /* the caller's; only messages and windows/below.c need it */
};

/* Names as the user wrote them, from the directory in which the program was started. */
#define BELOW_HERE ((struct below){ AT_FDCWD, "." })

enum below_links {
	BELOW_ANY,    /* wherever they lead: the user's own word */
	BELOW_INSIDE, /* those that stay below: -EXDEV for others */
	BELOW_NONE,   /* -ELOOP for any */
};

/* A directory by its name, which is the user's own word. 0 or -errno. */
int below_open(const char *name, struct below *ret);

/* The same for what lies in it and is there; a page of a browser has files without directories. */
int below_open_parent(const char *name, struct below *ret);

/* The same by a name that had no link in it, and may have none now. */
int below_open_real(const char *name, struct below *ret);

/* So many levels up, by "..". */
int below_above(const struct below *b, unsigned int levels, struct below *ret);
void below_close(struct below *b);

/* A regular file for reading: a descriptor, -EISDIR, -EINVAL for anything else, or -errno. */
int below_file(const struct below *b, const char *path, enum below_links links, struct stat *ret);

/* 'd', '-', '?' for anything else, 0 if it cannot be reached. */
char below_kind(const struct below *b, const char *path, enum below_links links);

struct below_name {
	const char *name;
	uint64_t size; /* 0 unless asked for */
	char kind;     /* 'd', '-', 'l', '?' */
};

/* The names in a directory, sorted. -ENOTSUP: it is one of the kernel's own file systems. */
int below_names(const struct below *b, const char *path, enum below_links links, bool sized,
		struct arena *arena, struct below_name **ret, size_t *ret_count);
