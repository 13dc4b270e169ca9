#pragma once

/*
 * subject - whose rights, environment and limits are judged
 *
 * Usually the caller. Through sudo it is the user who called sudo, because it
 * is their job that fails; by option another user, process, unit or container.
 * A login keeps the groups it was born with, so a process that the subject
 * already runs is better evidence than /etc/group.
 */

#include <sys/types.h>

#include "door/door.h"

struct subject {
	const char *how;  /* "this process", "calling user of sudo", ... */
	char process[32]; /* "/proc/self", "/proc/1234", or empty: known from files only */
	const char *user; /* of the door's arena, as all that follows; NULL: not known */
	const char *home;
	unsigned int uid, gid;
	gid_t *groups; /* without gid */
	size_t group_count;
};

int subject_read(struct door *d, struct subject *ret);

/* The answers to "identity" and "environment". */
int subject_identity(struct door *d, struct span argument, struct buf *ret);
int subject_environment(struct door *d, struct span argument, struct buf *ret);

/* The directory in which the subject's process runs, in the arena; NULL: not known. */
const char *subject_cwd(struct door *d, struct arena *a);

/* Do the subject's paths mean the files that ours mean? */
bool subject_same_mounts(struct door *d, const struct subject *s);

/*
 * Open with the subject's rights and not with those of root: file system ids
 * and groups are put on for the one call, and with them goes the capability
 * to pass every mode bit. A descriptor or -errno; DOOR_UNASKED where we cannot
 * stand in for the subject: without being root, or in front of another /dev.
 */
int subject_open(struct door *d, const char *path, int flags);

/*
 * The subject's ids and groups for file access, put on and taken off again by
 * root. 1 they are on, 0 there is no need (we are not root, or the subject is),
 * -EPERM they cannot be had. Only after 1 there is something to take off.
 */
struct subject_worn {
	gid_t *groups; /* our own */
	size_t count;
};
int subject_wear(struct door *d, struct subject_worn *ret);
void subject_take_off(struct subject_worn *worn);

void subject_add_group(struct door *d, struct subject *s, uint64_t gid);
