#pragma once

/*
 * records - the records of what was applied: of root, of a user, of a tree
 *
 * Where they are, which there are, and which of them is meant. Prints nothing:
 * what cannot be read is added to `said`, a line each. A directory of records
 * that is empty and none at all are the same.
 */

#include "fix/record.h"

struct records {
	struct arena arena;
	struct writer writer;
	struct record_dir records;
};

/* Opens the records of a tree; NULL: of this host. 0, or an exit status. */
int records_open(const char *tree, struct records *ret, struct buf *said);
void records_close(struct records *r);

/*
 * Those of a remedy: their number or -errno, and the name of the last. With a
 * subject, the one that is for it or for the whole machine.
 */
int records_find(struct records *r, const char *remedy, const char *subject, const char **ret_name,
		 struct buf *said);

/* The only one of a remedy. False: there is none, there are several, or it cannot be read. */
bool records_load(struct records *r, const char *remedy, const char *subject,
		  struct fix_record *ret, struct buf *said);

/* Each that can be read, in the order of the names. How many cannot, or -errno. */
int records_each(struct records *r, void (*visit)(void *ctx, const struct fix_record *record),
		 void *ctx, struct buf *said);

/*
 * Take back the record of that name, as fix_undo does; its subject is empty if
 * it was for the whole machine. -ENOENT: there was none, and what a killed
 * process left of one before it was whole is gone.
 */
int records_undo(struct records *r, const char *name, const char **ret_subject, struct buf *said);
