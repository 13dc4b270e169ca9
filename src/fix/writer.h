#pragma once

/*
 * writer - the one place that changes a machine
 *
 * The second door: src/door only reads, and everything that is written, removed
 * or started on behalf of a remedy goes through here. Paths are absolute
 * within the writer's root. They are walked name by name from an open directory;
 * for root, and in a tree, a symbolic link on the way is refused, so nobody
 * who planted one leads us out, and what was walked stays what it was even if
 * names are changed meanwhile.
 *
 * A change is whole or not there: new bytes go to a file beside it, are synced
 * and then renamed, and so is the directory's entry. 0 or -errno; -ELOOP for a
 * link on the way, -ENOTUNIQ for . and .. in a path, -EEXIST where something is that we did not make.
 */

#include <sys/types.h>

#include "base/buf.h"

struct writer {
	int root;           /* descriptor of its "/" */
	const char *prefix; /* that path, for programs; empty for this host */
	bool strict;        /* no link is followed */
};

int writer_open(const char *dir, struct writer *ret); /* NULL: this host */
void writer_close(struct writer *w);

/* The state of a name; a link is not followed. */
struct writer_state {
	char kind; /* '-' nothing, 'f' a file, 'd' a directory, '?' something else */
	unsigned int mode;
	unsigned int uid, gid;
	int64_t mtime_s;
	int64_t mtime_ns;
	uint64_t size;
	unsigned int links; /* names that the file has */
};

#define WRITER_FILE_MAX ((size_t)16 << 20) /* the list of an environment with PyTorch takes 3 MiB */

/* `bytes`, if not NULL, gets what a file holds: -EFBIG above WRITER_FILE_MAX. */
int writer_look(const struct writer *w, const char *path, struct writer_state *ret,
		struct buf *bytes);

int writer_look_root(const struct writer *w, struct writer_state *ret);

/* A new file: what is there already stays, -EEXIST. `temp` is a name beside it. */
int writer_create(const struct writer *w, const char *path, const char *temp, struct span bytes,
		  unsigned int mode);

/* A file as it was: bytes, mode, owner, time, and the label of what is there now. */
int writer_restore(const struct writer *w, const char *path, const char *temp, struct span bytes,
		   const struct writer_state *as);

/* And sync. -EMLINK for a file that has another name: somebody may have linked it here. */
int writer_append(const struct writer *w, const char *path, struct span bytes);
int writer_remove(const struct writer *w, const char *path); /* a file; gone is good */
int writer_make_dir(const struct writer *w, const char *path, unsigned int mode);
int writer_remove_dir(const struct writer *w, const char *path); /* an empty one; gone is good */

/* A directory gets another name beside its own; one that is there stays, -EEXIST. */
int writer_move_dir(const struct writer *w, const char *from, const char *to);

/* In a tree root gives a name to the owner of the directory that it is in. */
int writer_give(const struct writer *w, const char *path);

/* Names in a directory, a line each, sorted. */
int writer_list(const struct writer *w, const char *path, struct buf *ret);

/* Lists a directory's tree, a sorted line each: kind, mode, size, time, name. No .pyc files. */
int writer_list_tree(const struct writer *w, const char *path, struct buf *ret);
int writer_remove_tree(const struct writer *w, const char *path);

/*
 * A file that is held until writer_unlock or the end of the process, however it
 * ends; with `make` it is made. A descriptor, or -EAGAIN with the process that
 * holds it (0: not known), -EPERM for one that others can open. In one
 * process a file is locked once: the kernel forgets the lock of a process when
 * any descriptor of the file is closed.
 */
int writer_lock(const struct writer *w, const char *path, bool make, pid_t *ret_holder);
void writer_unlock(int lock);

/*
 * Run a program by its arguments, never through a shell, and wait for it; what
 * it prints goes to standard error. One that works on files of others must not
 * be cut off when we are; one that only fills a directory of ours may. It starts
 * in /: where we are may be somebody else's. The exit status, or -errno if it
 * cannot be started; -EINTR if a signal ended it.
 */
int writer_run(const char *const argv[], bool dies_with_us);

/* Whether another process of that number is alive. */
bool writer_is_alive(pid_t pid);
pid_t writer_process(void);

/* The effective user: 0 is root. */
unsigned int writer_user(void);
int64_t writer_now(void);

#define WRITER_KEY 17

/* A random word, for names that nobody else can guess. */
int writer_key(char ret[WRITER_KEY]);
