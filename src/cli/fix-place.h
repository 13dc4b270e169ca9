#pragma once

/*
 * fix-place - the records that a command line means
 *
 * Of root, of a user or of a tree. What cannot be read is said here; an empty
 * shelf and none at all are the same.
 */

#include "cli/options.h"
#include "fix/record.h"

struct fix_place {
	struct arena arena;
	struct hand hand;
	struct record_shelf shelf;
};

int fix_place_open(const struct options *o, struct fix_place *ret); /* 0, or an exit status */
void fix_place_close(struct fix_place *p);

int fix_place_list(struct fix_place *p, struct buf *ret); /* names, a line each */

/* The records of a remedy: their number or -errno, and the name of the last. */
int fix_place_find(struct fix_place *p, const char *remedy, const char *subject,
		   const char **ret_name);

/* The one record of the remedy that the options name. */
bool fix_place_load(const struct options *o, struct fix_place *p, struct record *ret);

/* --applied: all of them, said. */
int fix_place_tell(const struct options *o);

/*
 * What an applied remedy was for: its cause, the evidence of it and its subject,
 * the new environment that it made and the user that it gave a group, each NULL
 * if there is none. They live in the arena.
 */
struct fix_aim {
	const char *cause; /* NULL: nothing was applied */
	const char *evidence;
	const char *subject;
	const char *lost; /* a file that it wrote and that is gone or another by now */
	const char *environment;
	const char *user;
};

struct fix_aim fix_place_aim(const struct options *o, struct arena *a);
