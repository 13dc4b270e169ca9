#pragma once

/*
 * snapshots - the recorded machines that a path names
 *
 * A snapshot, or a directory of them (*.snap, *.snap.gz). A machine is called
 * by its file, without the suffix: node0017.snap.gz is node0017.
 */

#include "context/machine.h"

struct snapshots {
	struct arena arena;
	struct snapshots_file {
		const char *path;
		const char *node; /* clean text, and no other one has it */
	} * list;                 /* by node */
	size_t count;
};

bool snapshots_is_directory(const char *path);

/*
 * Those of a directory. 0, or an exit status with its reason added to `said`: there are none,
 * or two with the same name. snapshots_done() ends it in any case.
 */
int snapshots_list(const char *directory, struct snapshots *ret, struct buf *said);
void snapshots_done(struct snapshots *s);

/* One of them in the tables of the machine before (machine_next); 0 or an exit status. */
int snapshots_open(const struct snapshots_file *file, const struct context_options *o,
		   struct machine *m, struct buf *said);

/* Why one could not be opened, of what was said; static or of `said`. */
const char *snapshots_reason(struct buf *said);

/*
 * Each in the order of their names, until one visit does not return 0. Returns that, 0, or an
 * exit status as above.
 */
int snapshots_each(const char *path, int (*visit)(void *user, const char *path), void *user,
		   struct buf *said);
