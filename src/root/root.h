#pragma once

/*
 * root - the one door to the machine under examination
 *
 * A collector reaches the machine only through a root, never by a bare path,
 * and cannot tell what stands behind it: this host, an unpacked tree, a host
 * seen through a mount, or a recorded snapshot. What a user saw in the field
 * is what a test replays on a machine without a GPU.
 *
 * Live is record and replay. root_record() lets a child collect from the host
 * and take down every answer; afterwards this root answers from the record
 * alone. A question that hangs is given up with its device; the doctor does
 * not die with the patient.
 *
 * Answers are borrowed from the root and live as long as it does. Errors are
 * negative errno or one of the numbers of standing.h.
 */

#include "base/buf.h"
#include "base/span.h"

struct root;

enum root_kind {
	ROOT_LIVE,     /* this host */
	ROOT_MOUNTED,  /* a live host seen through a mount: not our processes, not our user */
	ROOT_TREE,     /* an unpacked tree */
	ROOT_SNAPSHOT, /* a recording */
};

struct root_options {
	bool no_open;             /* never open /dev/kfd or a render node */
	bool may_wake;            /* read also what wakes a sleeping GPU */
	const char *user;         /* whose rights and environment are judged: a user, ... */
	const char *pid;          /* ... a process, ... */
	const char *unit;         /* ... a systemd unit, ... */
	const char *container;    /* ... a container, by an id or its beginning */
	const char *environments; /* directories to look for software in, separated by colons */
	int patience_ms;          /* how long one path may take; 0: the default */
	int total_ms;             /* how long all of it may take; 0: the default */
};

/* 0 and a root, or -errno. The directory or file is opened here. */
int root_new_dir(enum root_kind kind, const char *dir, const struct root_options *options,
		 struct root **ret);
int root_new_text(struct buf *take, struct root **ret); /* takes the bytes over */
struct root *root_free(struct root *root);              /* accepts NULL, returns NULL */

enum root_kind root_kind(const struct root *root);

/*
 * Ask everything that `collect` asks, in a child that may be lost, and keep
 * the answers. Does nothing for a snapshot. -errno only if no child could be
 * started at all; everything else is recorded.
 */
int root_record(struct root *root, void (*collect)(struct root *root));

/* What the parent does once while the first child of root_record() is at work. */
void root_meanwhile(struct root *root, void (*work)(void *ctx), void *ctx);

/* Whom to tell, again and again while root_record() waits, what is being read. */
void root_waiting(struct root *root, void (*tell)(void *ctx, const char *path), void *ctx);

/* A whole file. `*ret` ends with a NUL that is not counted. */
int root_read(struct root *root, const char *path, struct span *ret);

/* The target of a link, not followed. */
int root_link(struct root *root, const char *path, struct span *ret);

/* The path without any link in it. */
int root_real(struct root *root, const char *path, const char **ret);

struct root_names {
	const char *const *names; /* in natural order: 2 before 10 */
	size_t count;
};
int root_list(struct root *root, const char *path, struct root_names *ret);

struct root_node {
	char kind; /* 'c' and 'b' devices, 'd', 'l', 's', 'p', '-' */
	unsigned int mode;
	unsigned int uid, gid;
	unsigned int major, minor;
};
int root_stat(struct root *root, const char *path, struct root_node *ret); /* lstat */

/*
 * A question that is no file: "open /dev/kfd", "kfd-version", "limit ...".
 * The words are those of asks.c; the answer is text.
 */
int root_ask(struct root *root, const char *question, struct span *ret);

/* An answer that somebody else has found, as if it had been recorded; copied. */
void root_add(struct root *root, const char *question, struct span answer);

/*
 * From now on only what belongs into a brief snapshot is answered; anything
 * else counts as not asked. Which records were used so far is forgotten.
 */
void root_brief(struct root *root);

/* Every record as it was taken, for writing a snapshot. */
struct store;
const struct store *root_store(const struct root *root);
