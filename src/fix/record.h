#pragma once

/*
 * record - the journal of one applied remedy
 *
 * Written and synced before anything is changed: what will be done, and what
 * was there before, byte for byte. A mark follows each change. Whoever finds a
 * record knows from it how to go on and how to go back; when all is undone,
 * it is gone.
 *
 *   rocsteady-fix 1
 *   remedy join-render-group
 *   subject =/dev/kfd
 *   cause device-permission
 *   evidence kfd-refused not-in-group
 *   at 1794737000
 *   action join-group =ada:render - -
 *   file =/etc/group f 644 0 0 1794000000 0 cm9vdDp4OjA6Cg==
 *   dir =/etc/udev
 *   planned
 *   done 0
 *   applied
 */

#include "base/arena.h"
#include "fix/record-dir.h"
#include "kb/apply.h"

#define FIX_RECORD_ACTIONS_MAX 8
#define FIX_RECORD_FILES_MAX   16

struct fix_record_file {
	const char *path;
	struct writer_state old;
	struct span bytes; /* of a file */
};

struct fix_record_action {
	struct apply_action what;
	bool done;
	struct fix_record_file files[FIX_RECORD_FILES_MAX]; /* that it may change */
	size_t file_count;
	const char *dirs[FIX_RECORD_FILES_MAX]; /* that were not there, the outermost first */
	size_t dir_count;
};

struct fix_record {
	struct arena arena;
	const char *name; /* of its file */
	const char *remedy;
	const char *subject;
	const char *cause;
	const char *evidence; /* that spoke for it, with blanks between; or NULL */
	int64_t at;
	struct fix_record_action actions[FIX_RECORD_ACTIONS_MAX];
	size_t count;
	bool applied; /* to the end */
	bool undoing;
};

/* The name of a record: the remedy, and a digest of the subject if there is one. */
const char *fix_record_name(struct arena *a, const char *remedy, const char *subject);

void fix_record_text(const struct fix_record *r, struct buf *ret);
int fix_record_parse(struct span text, struct fix_record *ret); /* 0 or -EBADMSG */

/*
 * 0; -ENOENT if nothing of it was applied, -EBADMSG if it cannot be read, -EPERM
 * if somebody else wrote it and -EMLINK if it has another name, so that it may have
 * been written for another tree: what it says is done with our rights.
 */
int fix_record_load(const struct record_dir *records, const char *name, struct fix_record *ret);
int fix_record_begin(const struct record_dir *records, const struct fix_record *r);
int fix_record_mark(const struct record_dir *records, const struct fix_record *r,
		    const char *words);
/* The other name of a record that a killed process had just given it, without RENAME_NOREPLACE. */
int fix_record_settle(const struct record_dir *records, const char *name);
int fix_record_forget(const struct record_dir *records, const char *name);
void fix_record_done(struct fix_record *r);

/* A file beside the record, as the survey of an environment. */
const char *fix_record_beside(struct arena *a, const struct record_dir *records, const char *name,
			      const char *suffix);
