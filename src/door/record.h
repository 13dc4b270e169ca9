#pragma once

/*
 * record - one answer of the machine, as text
 *
 * The grammar of a snapshot, and of the stream in which the recording child
 * reports to its parent: a line of words, then the body, each line after a
 * tab. rocsteady-snapshot(5) is its manual.
 *
 *	file /proc/cmdline
 *		BOOT_IMAGE=/vmlinuz root=/dev/sda1
 *	link /sys/class/drm/card0 ../../devices/pci0000:00/0000:03:00.0/drm/card0
 *	files /sys/module/amdgpu
 *		initstate live
 *		srcversion !ENOENT
 *	node /dev/kfd char 0660 0:992 235:0
 *	ask open /dev/kfd !EACCES
 *
 * A word that begins with `!` says why there is no answer. Reading is pure and
 * total: any bytes give records, of which some may be unknown.
 */

#include "base/buf.h"

enum record_kind {
	RECORD_FILE,    /* what reading a file gave */
	RECORD_DIR,     /* the names in a directory */
	RECORD_LINK,    /* where a symbolic link points */
	RECORD_NODE,    /* what lstat says of a path */
	RECORD_ASK,     /* a question that is no file; the path is the question */
	RECORD_NOTE,    /* about the snapshot itself: program, scrubbed, ... */
	RECORD_FILES,   /* files of one line in one directory: "NAME LINE" or "NAME !ERROR" each */
	RECORD_UNKNOWN, /* a later version wrote it; skipped with a gap */
	RECORD_KINDS = RECORD_UNKNOWN,
};

/* One word each after the path; unknown ones are ignored. */
enum record_flag {
	RECORD_NOEOL = 1,   /* the last line has no newline */
	RECORD_BASE64 = 2,  /* the body is not text */
	RECORD_HEAD = 4,    /* only the first part was read */
	RECORD_EXCERPT = 8, /* only some lines, each after its number and a colon */
};

struct record {
	enum record_kind kind;
	unsigned int flags;
	int error;          /* 0, or why there is no answer */
	struct span path;   /* as written: escaped by text_word; whole line tail for RECORD_ASK */
	struct span detail; /* link target, or the attributes of a node; as written */
	struct span body;   /* the raw lines, with their tabs */
	struct span raw;    /* all of it */
	struct span line;   /* of a file out of RECORD_FILES: its one line, without a newline */
	bool has_line;
	bool touched; /* a collection has used it; see root_brief() */
};

#define RECORD_MAGIC "rocsteady-snapshot 1"

/* 1 a record, 0 the end. *rest must begin at a line. */
int record_next(struct span *rest, struct record *ret);

/*
 * The next file of a RECORD_FILES: 1 and a record of kind RECORD_FILE whose path
 * is the bare name, as written. *rest starts as the body.
 */
int record_file_next(struct span *rest, struct record *ret);

/* Can the file stand in a RECORD_FILES? Then its line goes there. */
bool record_is_line(const struct record *r);
void record_write_line(struct buf *out, struct span name, const struct record *r);

/* As it was, for a file out of a RECORD_FILES as a record of its own. */
void record_write(struct buf *out, const struct record *r, struct span path);

/* The body as the bytes it stands for. False if it is malformed. */
bool record_content(const struct record *r, struct buf *ret);

/*
 * Writers. `path` and `question` are plain, not escaped. A question is words
 * separated by single blanks and holds no newline.
 */
void record_write_content(struct buf *out, enum record_kind kind, struct span path,
			  unsigned int flags, struct span content);
void record_write_error(struct buf *out, enum record_kind kind, struct span path, int error);
void record_write_link(struct buf *out, struct span path, struct span target);
void record_write_node(struct buf *out, struct span path, const char *attributes);
