#pragma once

/*
 * root-internal - what the files of src/root share about a root
 */

#include "root/door.h"
#include "root/root.h"
#include "root/store.h"

#define ROOT_DEVICES_MAX 128

struct root {
	enum root_kind kind;
	struct store store;
	struct door door;
	bool live;		/* questions that are not in the store go to the door */
	bool annotated;		/* a tree with records beside its files */
	bool recorded_tree;	/* ... which are all that was asked: an unpacked snapshot */
	bool brief;		/* answer only what a brief snapshot holds */
	struct buf text;	/* of a snapshot or a sidecar; the store points into it */
	struct arena arena;	/* answers */
	struct map real_dirs;	/* resolved directories: asked -> without links */
	struct beacon *beacons[ROOT_DEVICES_MAX]; /* one for each child that was needed */
	size_t beacon_count;
	struct span stuck[ROOT_DEVICES_MAX]; /* devices that are left alone */
	size_t stuck_count;
};

/* The device a path belongs to ("0000:03:00.0", "node 3"), or an empty span. */
struct span root_device(struct root *root, const char *path);

/* Make a record known, and let the parent know it too. */
void root_keep(struct root *root, struct span record);
