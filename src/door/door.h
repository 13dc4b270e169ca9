#pragma once

/*
 * door - the system calls behind a live root
 *
 * The paths of collectors arrive without links in them (root/resolve.c). Gauges
 * and surveys also name paths with links on the way. A tree and a mount are
 * opened with RESOLVE_IN_ROOT: /opt/rocm is an absolute link through
 * /etc/alternatives, and a plain openat() would leave the tree for this host's
 * own ROCm. Every call names its path in the beacon
 * first. Nothing here writes to the machine.
 */

#include <dirent.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "door/beacon.h"

/* The machine or file behind the door. */
enum door_kind {
	DOOR_LIVE,     /* this host */
	DOOR_MOUNTED,  /* a live host seen through a mount: not our processes, not our user */
	DOOR_TREE,     /* an unpacked tree */
	DOOR_SNAPSHOT, /* a recording */
};

/* The user's permissions for the survey, and the subject whose rights are judged. */
struct door_options {
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

/* The result of lstat() for a path. */
struct door_node {
	char kind; /* 'c' and 'b' devices, 'd', 'l', 's', 'p', '-' */
	unsigned int mode;
	unsigned int uid, gid;
	unsigned int major, minor;
};

struct door {
	enum door_kind kind;
	int top; /* the directory that is "/" */
	struct beacon *beacon;
	struct door_options options;
	struct map asleep;        /* by device: "yes" or "no" */
	struct arena arena;       /* its keys, and the subject */
	struct subject *subject;  /* who is judged, once it was asked */
	struct map code;          /* answers by file: uv and conda link one file into many places */
	const struct span *stuck; /* devices and directories that do not answer */
	size_t stuck_count;
};

#define DOOR_FILE_MAX ((size_t)1 << 20) /* larger than any file that we ask for */
#define DOOR_HEAD_MAX ((size_t)4096)

int door_init(struct door *d, enum door_kind kind, const char *dir,
	      const struct door_options *options);
void door_done(struct door *d);

/* An open descriptor of a regular file or directory (O_DIRECTORY in flags), or -errno. */
int door_open(struct door *d, const char *path, int flags);

/*
 * The same below another directory, out of which no link leads. Without openat2 a
 * link on the way is refused with -ELOOP instead.
 */
int door_open_below(int top, const char *path, int flags);

/*
 * Below a directory that is not left, neither by "..", nor by a link that leads out
 * of it or is absolute: -1 and EXDEV. Without `links` none is followed at all: ELOOP.
 */
int door_open_inside(int top, const char *path, int flags, bool links);

/* The same file again, now for reading: through /proc no name can change under us. Or -errno. */
int door_reopen(int fd);

/* Whether the path lies below a device or directory that has not answered. */
bool door_is_stuck(const struct door *d, struct span path);

int door_read(struct door *d, const char *path, size_t max, struct buf *ret);
int door_link(struct door *d, const char *path, struct buf *ret);
int door_stat(struct door *d, const char *path, struct door_node *ret);

/* The names in a directory, sorted, one a line, each with its mark (/ or @). */
int door_list(struct door *d, const char *path, struct buf *ret);

/* Whether the device of this sysfs directory is in runtime suspend. */
bool door_asleep(struct door *d, struct span device_dir);

/* "2" before "10", "card0" before "card0-DP-1". */
int door_natural_order(const char *a, const char *b);

/* A descriptor of a directory for readdir(), taken over; NULL: it was negative, or no memory. */
DIR *door_dir(int fd);

/* DT_DIR, ... of a name; not every file system (9p, some of FUSE) says it with the name. */
unsigned char door_type(int dir, const struct dirent *entry);
