#pragma once

/*
 * door - the system calls behind a live root
 *
 * Paths arrive here without links in them (root.c resolved and checked them).
 * A tree and a mount are opened with RESOLVE_IN_ROOT all the same: /opt/rocm is
 * an absolute link through /etc/alternatives, and a plain openat() would leave
 * the tree for this host's own ROCm. Every call names its path in the beacon
 * first. Nothing here writes to the machine.
 */

#include <dirent.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "door/beacon.h"
#include "root/root.h"

struct door {
	enum root_kind kind;
	int top; /* the directory that is "/" */
	struct beacon *beacon;
	struct root_options options;
	struct map asleep;        /* by device: "yes" or "no" */
	struct arena arena;       /* its keys, and the subject */
	struct subject *subject;  /* who is judged, once it was asked */
	struct map code;          /* answers by file: uv and conda link one file into many places */
	const struct span *stuck; /* devices and directories that do not answer */
	size_t stuck_count;
};

#define DOOR_FILE_MAX ((size_t)1 << 20) /* no file that we ask for reaches it */
#define DOOR_HEAD_MAX ((size_t)4096)

int door_init(struct door *d, enum root_kind kind, const char *dir,
	      const struct root_options *options);
void door_done(struct door *d);

/* An open descriptor of a regular file or directory (O_DIRECTORY in flags), or -errno. */
int door_open(struct door *d, const char *path, int flags);

/* The same below another directory, from which no link leads out. */
int door_open_below(int top, const char *path, int flags);

/* Lies the path, or the device, in what does not answer? */
bool door_is_stuck(const struct door *d, struct span path);

int door_read(struct door *d, const char *path, size_t max, struct buf *ret);
int door_link(struct door *d, const char *path, struct buf *ret);
int door_stat(struct door *d, const char *path, struct root_node *ret);

/* The body of a dir record: one name a line, behind a tab, with its mark, sorted. */
int door_list(struct door *d, const char *path, struct buf *ret);

/* A device below which `path` lies is in runtime suspend. */
bool door_asleep(struct door *d, struct span device_dir);

/* "2" before "10", "card0" before "card0-DP-1". */
int door_natural_order(const char *a, const char *b);

/* DT_DIR, ... of a name; not every file system (9p, some of FUSE) says it with the name. */
unsigned char door_type(int dir, const struct dirent *entry);
