#pragma once

/*
 * snapshot - a recording in a file
 *
 * Text, or the same text in gzip where the name ends in .gz. A snapshot taken
 * of a snapshot is the same bytes. rocsteady-snapshot(5) has the grammar.
 */

#include "root/root.h"

#define SNAPSHOT_MAX ((size_t)64 << 20) /* unpacked; larger ones are refused */

/* From a file, "-" for standard input; gzip is recognised by itself. */
int snapshot_read(const char *path, struct buf *ret);

/* 0600, as door/output-file.h; "-" is stdout. */
int snapshot_write(const char *path, struct span text, struct buf *ret_why);

struct snapshot_options {
	bool no_scrub;
	const char *key; /* for comparable pseudonyms over several machines; NULL: a new one */
};

/* The text of a root that has been recorded or read. */
int snapshot_of(struct root *root, const struct snapshot_options *options, struct buf *ret);

/* Files, links and a sidecar below an empty or new directory. */
int snapshot_unpack(struct root *root, const char *dir);
