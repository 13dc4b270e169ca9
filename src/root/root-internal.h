#pragma once

/*
 * root-internal - what the files of src/root share about a root
 */

#include "door/door.h"
#include "door/store.h"
#include "root/root.h"

#define ROOT_DEVICES_MAX 128

struct root {
	enum door_kind kind;
	struct store store;
	struct door door;
	bool live;            /* questions that are not in the store go to the door */
	bool annotated;       /* a tree with records beside its files */
	bool recorded_tree;   /* ... which are all that was asked: an unpacked snapshot */
	bool brief;           /* answer only what a brief snapshot holds */
	bool late;            /* not everything was asked before the time was over */
	struct buf text;      /* of a snapshot or a sidecar; the store points into it */
	struct arena arena;   /* answers */
	struct map real_dirs; /* resolved directories: asked -> without links */
	struct beacon *beacons[ROOT_DEVICES_MAX]; /* one for each child that was needed */
	size_t beacon_count;
	struct span stuck[ROOT_DEVICES_MAX]; /* devices that are left alone */
	size_t stuck_count;
	void (*meanwhile)(void *ctx);
	void *meanwhile_ctx;
	void (*waiting)(void *ctx, const char *path);
	void *waiting_ctx;
	unsigned int resumed; /* questions that were asked again without what was stuck */
};

/* The device a path belongs to ("0000:03:00.0", "node 3"), or an empty span. */
struct span root_device(struct root *root, const char *path);

/* Make a record known, and let the parent know it too. */
void root_keep(struct root *root, struct span record);

/* Take a refusal down like an answer; returns the error. */
int root_note_error(struct root *root, enum record_kind kind, struct span path, int error);

/*
 * The path without links in it; of the last name only with `follow`. -EXDEV if
 * it leads out of /sys, /proc or /dev, or into what acts when it is read.
 */
int root_resolve(struct root *root, const char *asked, bool follow, struct span *ret);

/* Ask the host for a link: 1 and its target, 0 if it is none, -errno. */
int root_door_link(struct root *root, struct span path, struct span *ret);

/* 0, or why a path or question is not asked now: its device is stuck or asleep. */
int root_refusal(struct root *root, const char *real, bool wakes);
