#pragma once

/*
 * threads - what the threads of a process are doing, from /proc
 *
 * Reading a list costs one small file for each thread, and never waits. Maps and
 * stacks may: the process may hold the lock that they need and sleep with it. Who
 * asks for them is a process that can be lost.
 */

#include <sys/types.h>

#include "base/arena.h"
#include "base/buf.h"

struct threads_one {
	pid_t tid;
	char state; /* as in /proc/PID/stat: R S D T t Z X I */
	char name[16];
	char wchan[48]; /* where it waits in the kernel; empty: nowhere, or not asked */
	int64_t cpu_ms;
};

/*
 * The threads of a process; answers how many. Where they wait is asked of those
 * that sleep uninterruptibly, or of `all`.
 */
size_t threads_list(pid_t pid, bool all, struct arena *a, struct threads_one **ret);

/* A file of a thread, as "syscall"; of the process with tid 0. 0 or -errno. */
int threads_file(pid_t pid, pid_t tid, const char *name, size_t most, struct buf *ret);

/* Words of its memory; answers how many were read. */
size_t threads_words(pid_t pid, uint64_t at, uint64_t *to, size_t count);

/* Does its first thread read from a terminal? */
bool threads_asks(pid_t pid);

/* Has it a file of a GPU open? Reads all its descriptors. */
bool threads_hold_gpu(pid_t pid);

/* The drm-* lines of its open files, a line "fd N" before each. */
void threads_drm(pid_t pid, struct buf *ret);

/* KiB that the machine has read from storage and written to it; -1: not known. */
int64_t threads_storage_kib(void);
