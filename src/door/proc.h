#pragma once

/*
 * proc - files of /proc about one process of this host
 *
 * Most of them answer without waiting. Those that wait for the process (maps,
 * stack, fdinfo of a driver) are asked by a thread or a child that may be lost.
 */

#include <dirent.h>
#include <sys/types.h>

#include "base/buf.h"

/* A descriptor of /proc/PID/NAME, or of /proc/NAME with pid 0; -errno. */
int proc_open(pid_t pid, const char *name);

/* The file's text, as fd_text() of base/fd.h: the bytes that fit, 0 for none. */
size_t proc_text(pid_t pid, const char *name, char *ret, size_t size);

/* The target of a link, cut to fit and ended by a NUL; false: it cannot be read. */
bool proc_link(pid_t pid, const char *name, char *ret, size_t size);

/* A directory as readdir() wants it, to be closed by the caller; NULL and errno. */
DIR *proc_dir(pid_t pid, const char *name);

/* The user that runs the process; 0, or -errno if it is gone. */
int proc_user(pid_t pid, uid_t *ret);

/* The files that a process has open, one after the other, and where each one leads. */
struct proc_files {
	DIR *dir;
	unsigned int looked;
	int number;      /* of the descriptor */
	char target[40]; /* "/dev/kfd", "socket:[12345]"; a longer one is cut */
};

/*
 * Takes over a descriptor of the directory: proc_open(pid, "fd"), or that of a
 * tree. 0, or what the descriptor says: -EACCES for another user's process.
 */
int proc_files_open(int fd, struct proc_files *ret);
bool proc_files_next(struct proc_files *f);
void proc_files_close(struct proc_files *f);

/* Is the file that was met last a node of DRM, or /dev/kfd? */
bool proc_files_is_drm(const struct proc_files *f);
bool proc_files_is_kfd(const struct proc_files *f);
