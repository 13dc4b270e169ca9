#pragma once

/*
 * root - one machine, live or recorded, as collectors ask it
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
#include "door/door.h"

struct root;

/* 0 and a root, or -errno. The directory or file is opened here. */
int root_new_dir(enum door_kind kind, const char *dir, const struct door_options *options,
		 struct root **ret);
int root_new_text(struct buf *take, struct root **ret); /* takes the bytes over */
bool root_is_cut_off(const struct root *root);          /* a recorded host without its last line */
struct root *root_free(struct root *root);              /* accepts NULL, returns NULL */

enum door_kind root_kind(const struct root *root);

/* Can a host be asked at all? A build without processes replays snapshots only. */
bool root_can_record(void);

/*
 * Ask everything that `collect` asks, in a child that may be lost, and keep
 * the answers. Does nothing for a snapshot. -errno only if no child could be
 * started at all; everything else is recorded.
 */
int root_record(struct root *root, void (*collect)(struct root *root));

/* A child that is at work ends now: who records will not come back. Needs no memory. */
void root_end_recording(void);

/* Work for the parent, once, while the first child of root_record() is at work. */
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

int root_stat(struct root *root, const char *path, struct door_node *ret); /* lstat */

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

/* The bytes of a snapshot as they were read; empty for a host. */
struct span root_text(const struct root *root);
