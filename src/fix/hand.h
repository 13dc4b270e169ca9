#pragma once

/*
 * hand - the one place that changes a machine
 *
 * The second door: root/ only reads, and everything that is written, removed
 * or started on behalf of a remedy goes through here. Paths are absolute
 * within the hand's root. They are walked name by name from an open directory;
 * for root, and in a tree, a symbolic link on the way is refused, so nobody
 * who planted one leads us out, and what was walked stays what it was even if
 * names are changed meanwhile.
 *
 * A change is whole or not there: new bytes go to a file beside it, are synced
 * and then renamed, and so is the directory's entry. 0 or -errno; -ELOOP for a
 * link on the way, -EEXIST where something is that we did not make.
 */

#include <sys/types.h>

#include "base/buf.h"

struct hand {
	int root;           /* descriptor of its "/" */
	const char *prefix; /* that path, for programs; empty for this host */
	bool strict;        /* no link is followed */
};

int hand_open(const char *dir, struct hand *ret); /* NULL: this host */
void hand_close(struct hand *h);

/* What stands under a name; a link is not followed. */
struct hand_state {
	char kind; /* '-' nothing, 'f' a file, 'd' a directory, '?' something else */
	unsigned int mode;
	unsigned int uid, gid;
	int64_t mtime_s;
	int64_t mtime_ns;
	uint64_t size;
};

#define HAND_FILE_MAX ((size_t)16 << 20) /* the survey of a torch has 3 MiB */

/* `bytes`, if not NULL, gets what a file holds: -EFBIG above HAND_FILE_MAX. */
int hand_look(const struct hand *h, const char *path, struct hand_state *ret, struct buf *bytes);

int hand_look_root(const struct hand *h, struct hand_state *ret);

/* A new file: what is there already stays, -EEXIST. `temp` is a name beside it. */
int hand_create(const struct hand *h, const char *path, const char *temp, struct span bytes,
		unsigned int mode);

/* A file as it was: bytes, mode, owner, time, and the label of what is there now. */
int hand_restore(const struct hand *h, const char *path, const char *temp, struct span bytes,
		 const struct hand_state *as);

int hand_append(const struct hand *h, const char *path, struct span bytes); /* and sync */
int hand_remove(const struct hand *h, const char *path); /* a file; gone is good */
int hand_make_dir(const struct hand *h, const char *path, unsigned int mode);
int hand_remove_dir(const struct hand *h, const char *path); /* an empty one; gone is good */

/* A directory gets another name beside its own; one that is there stays, -EEXIST. */
int hand_move_dir(const struct hand *h, const char *from, const char *to);

/* In a tree root gives a name to the owner of the directory that it is in. */
int hand_give(const struct hand *h, const char *path);

/* Names in a directory, a line each, sorted. */
int hand_list(const struct hand *h, const char *path, struct buf *ret);

/* What is below a directory, a sorted line each: kind, mode, size, time, name. No .pyc files. */
int hand_survey(const struct hand *h, const char *path, struct buf *ret);
int hand_remove_tree(const struct hand *h, const char *path);

/*
 * A file that is held until hand_unlock or the end of the process, however it
 * ends; with `make` it is made. A descriptor, or -EAGAIN with the process that
 * holds it (0: not known), -EPERM for one that others can open. In one
 * process a file is locked once: the kernel forgets the lock of a process when
 * any descriptor of the file is closed.
 */
int hand_lock(const struct hand *h, const char *path, bool make, pid_t *ret_holder);
void hand_unlock(int lock);

/*
 * Run a program by its arguments, never through a shell, and wait for it; what
 * it prints goes to standard error. One that works on files of others must not
 * be cut off when we are; one that only fills a directory of ours may. It starts
 * in /: where we are may be somebody else's. The exit status, or -errno if it
 * cannot be started; -EINTR if a signal ended it.
 */
int hand_run(const char *const argv[], bool dies_with_us);

/*
 * Whether nobody but root and us can change what a path of this host leads to:
 * each name on the way and each link is looked at, and with _tree all below it.
 * -EPERM with the name in `ret_where` if somebody can.
 */
int hand_trust(const char *path, struct buf *ret_where);
int hand_trust_tree(const char *path, struct buf *ret_where);

/* Whether another process of that number is alive. */
bool hand_is_alive(pid_t pid);
pid_t hand_process(void);

/* Who we are: 0 is root. */
unsigned int hand_user(void);
int64_t hand_now(void);

#define HAND_KEY 17

/* A word that nobody else has come upon. */
int hand_key(char ret[HAND_KEY]);
