#pragma once

/*
 * trust - whose hands a path is in
 *
 * The one rule of ownership: what root executes, loads, reads as configuration
 * or writes into belongs to root, or to the one user whose rights are taken for
 * it, all the way down from /. Every directory and every link on the way is
 * looked at. A sticky directory that others may write, as /tmp, keeps a name
 * that is there and ours, and no name that is still to be made. Who asks for
 * what stands in docs/design/0016-ownership.md.
 */

#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "base/buf.h"

struct trust {
	uid_t uid; /* who may own it besides root; 0: nobody so far */
	gid_t gid;
	bool takes; /* the first other owner becomes that one, and their rights are taken */
};

struct trust trust_us(void); /* root and this process's user */

/*
 * Judges a path from / to the file, links followed. False with the reason in
 * ret_why: "/opt/x belongs to user 1000". What is not there must be nobody's to
 * make; of a directory at the end also the names in it must be.
 */
bool trust_path(struct trust *t, const char *path, struct buf *ret_why);

/* False for a file that is there and that somebody other than root and us could have put there. */
bool trust_file(const char *path);

/* As trust_path, and what is there is a regular file. */
bool trust_regular(struct trust *t, const char *path, struct buf *ret_why);

/*
 * A regular file that root or we put there, for reading. It is judged before it
 * is opened: opening a device can act. A descriptor; -ENOENT, -EINVAL for what is
 * no regular file, -EPERM with the reason for one in other hands, or -errno.
 */
int trust_open(const char *path, struct buf *ret_why);

/* The same for one name, whose way is judged already. */
bool trust_entry(struct trust *t, const char *path, const struct stat *st, struct buf *ret_why);

/*
 * As trust_path, and for all that is below it, also where links in there lead
 * into other directories. More than TRUST_TREE_MAX names, or links into more than
 * TRUST_TOPS_MAX other directories, are not judged, so not trusted.
 */
#define TRUST_TREE_MAX 1000000
#define TRUST_TOPS_MAX 1024
bool trust_tree(struct trust *t, const char *path, struct buf *ret_why);

/*
 * The same for every absolute path in `NAME=/a:/b`. For the loader's own
 * variables (LD_) whatever else it would take for a path is refused.
 */
bool trust_variable(struct trust *t, const char *variable, struct buf *ret_why);

/*
 * A directory to write into, also by a relative path: what is missing of it is
 * made, for its owner alone. A descriptor, or -errno; root gets -EPERM with the
 * reason for one that others could change. Who is not root is not asked.
 */
int trust_dir(const char *path, struct buf *ret_why);

/* The same for one that others may read: what is made has the mode 0755. */
int trust_public_dir(const char *path, struct buf *ret_why);

/* The directory that a path ends in, for root through no link of somebody else's; as trust_dir. */
int trust_parent(const char *path, struct buf *ret_why);

/*
 * A program of this name in PATH that may be run: for root, one that only root can change.
 * 0, -ENOENT: there is none, or -EPERM: others could change each of them.
 */
int trust_look_for_program(const char *name, struct buf *ret);
