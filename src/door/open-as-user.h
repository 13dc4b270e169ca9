#pragma once

/*
 * reach - files of software, as the judged process reaches them
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

#define REACH_PATH_MAX 4096

struct reach {
	struct door *door;
	int top;      /* where "/" is; -1: here */
	bool own_top; /* top is ours to close */
	bool wears;
	struct subject_worn worn;
	dev_t plain[8]; /* file systems that are no kernel's */
	unsigned int plain_count;
	unsigned int looks; /* names asked for so far */
};

/* 0, or ROOT_UNASKED where we cannot stand in for the judged user. */
int reach_begin(struct door *d, struct reach *ret);
void reach_end(struct reach *r);

/* The path of a question, unescaped: absolute, or -EINVAL. */
int reach_path(struct span argument, char ret[static REACH_PATH_MAX]);

struct reach_file {
	int fd;
	uint64_t size;
	dev_t device;
	ino_t inode;
	struct beacon *beacon;
	uint64_t until_ms; /* no read after it; 0: no end */
};

/* Is this file system one of the kernel's own (proc, sysfs, debugfs)? By statfs.f_type. */
bool reach_is_kernels_own(long type);

/* A regular file, for reading: 0 or -errno. */
int reach_open(struct reach *r, const char *path, struct reach_file *ret);
void reach_close(struct reach_file *f);

/* Each read is a step of its own: a cold disk is no dead one. The file must stay where it is. */
struct source reach_source(const struct reach_file *f, uint64_t limit);

/* A whole small file. */
int reach_read(struct reach *r, const char *path, size_t max, struct buf *ret);

/* A directory for readdir: a descriptor, or -errno. */
int reach_dir(struct reach *r, const char *path);

/* Is it there, links followed? 'd', '-', another letter, or 0. */
char reach_kind(struct reach *r, const char *path);

/* The path without links, of something that is there: 0 or -errno. */
int reach_real(struct reach *r, const char *path, char ret[static REACH_PATH_MAX]);

/* Where a link points, not followed further: 0 or -errno. */
int reach_link(struct reach *r, const char *path, char ret[static REACH_PATH_MAX]);
