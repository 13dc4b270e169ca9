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
#include "fix/shelf.h"
#include "kb/apply.h"

#define RECORD_ACTIONS_MAX 8
#define RECORD_FILES_MAX   16

struct record_file {
	const char *path;
	struct hand_state old;
	struct span bytes; /* of a file */
};

struct record_action {
	struct apply_action what;
	bool done;
	struct record_file files[RECORD_FILES_MAX]; /* that it may change */
	size_t file_count;
	const char *dirs[RECORD_FILES_MAX]; /* that were not there, the outermost first */
	size_t dir_count;
};

struct record {
	struct arena arena;
	const char *name; /* of its file */
	const char *remedy;
	const char *subject;
	const char *cause;
	const char *evidence; /* that spoke for it, with blanks between; or NULL */
	int64_t at;
	struct record_action actions[RECORD_ACTIONS_MAX];
	size_t count;
	bool applied; /* to the end */
	bool undoing;
};

/* The name of a record: the remedy, and a digest of the subject if there is one. */
const char *record_name(struct arena *a, const char *remedy, const char *subject);

void record_text(const struct record *r, struct buf *ret);
int record_parse(struct span text, struct record *ret); /* 0 or -EBADMSG */

/*
 * 0; -ENOENT if nothing of it was applied, -EBADMSG if it cannot be read, -EPERM
 * if somebody else wrote it: what it says is done with our rights.
 */
int record_load(const struct record_shelf *shelf, const char *name, struct record *ret);
int record_begin(const struct record_shelf *shelf, const struct record *r);
int record_mark(const struct record_shelf *shelf, const struct record *r, const char *words);
int record_forget(const struct record_shelf *shelf, const char *name);
void record_done(struct record *r);

/* What stands in a file beside the record, as the survey of an environment. */
const char *record_beside(struct arena *a, const struct record_shelf *shelf, const char *name,
			  const char *suffix);
