#pragma once

/*
 * open-as-user - files of software, as the judged process reaches them
 *
 * Libraries and environments lie anywhere, so no table can name them. What is
 * opened is opened with the judged user's rights and in the judged process's
 * root; links are followed; only regular files and directories are opened,
 * never one of the kernel's own file systems, and nothing that hung before.
 * Names are looked at with O_PATH first, since opening a device can act.
 */

#include <sys/types.h>

#include "base/source.h"
#include "door/subject.h"

#define AS_USER_PATH_MAX 4096

struct as_user {
	struct door *door;
	int top;      /* where "/" is; -1: here */
	bool own_top; /* top is ours to close */
	bool wears;
	struct subject_worn worn;
	dev_t plain[8]; /* file systems known not to be the kernel's own */
	unsigned int plain_count;
	unsigned int looks; /* names asked for so far */
};

/* 0, or DOOR_UNASKED where we cannot stand in for the judged user. */
int as_user_begin(struct door *d, struct as_user *ret);
void as_user_end(struct as_user *u);

/* The path of a question, unescaped: absolute, or -EINVAL. */
int as_user_path(struct span argument, char ret[static AS_USER_PATH_MAX]);

struct as_user_file {
	int fd;
	uint64_t size;
	dev_t device;
	ino_t inode;
	struct beacon *beacon;
	uint64_t until_ms; /* no read after it; 0: no end */
};

/* Is this file system one of the kernel's own (proc, sysfs, debugfs)? By statfs.f_type. */
bool as_user_is_kernels_own(long type);

/* A regular file, for reading: 0 or -errno. */
int as_user_open(struct as_user *u, const char *path, struct as_user_file *ret);
void as_user_close(struct as_user_file *f);

/* Each read renews the beacon, so that a slow disk is not taken for a hung one. The file must stay where it is. */
struct source as_user_source(const struct as_user_file *f, uint64_t limit);

/* The first `max` bytes of a file. */
int as_user_read(struct as_user *u, const char *path, size_t max, struct buf *ret);

/* A directory for readdir: a descriptor, or -errno. */
int as_user_dir(struct as_user *u, const char *path);

/* Is there such a name below an open directory? Costs less than a path; no link is followed. */
bool as_user_is_below(struct as_user *u, int dir, const char *name);

/* Is it there, links followed? 'd', '-', '?' for anything else, 0 if it is not there. */
char as_user_kind(struct as_user *u, const char *path);

/* The path without links, of something that is there: 0 or -errno. */
int as_user_real(struct as_user *u, const char *path, char ret[static AS_USER_PATH_MAX]);

/* The target of a link, not followed further: 0 or -errno. */
int as_user_link(struct as_user *u, const char *path, char ret[static AS_USER_PATH_MAX]);
