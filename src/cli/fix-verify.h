#pragma once

/*
 * fix-verify - whether an applied remedy has cured what it was for
 *
 * "Cured" is said of what can still be judged alone: silence about a GPU that
 * is gone, or after our own file was taken away, is none.
 */

#include "cli/desk.h"
#include "cli/fix-place.h"
#include "diagnose/diagnose.h"

struct fix_verify {
	struct desk *desk;
	const struct options *options;
	struct arena *arena;
	struct fix_aim aim;
	const char *layer; /* that was walked to prove it, or NULL */
};

/* What was applied, and who and which environment is judged then. */
void fix_verify_aim(const struct options *o, struct arena *a, struct options *ret_words,
		    struct fix_verify *ret);

/* A remedy that is proved by a probe is: the walk comes before the diagnosis. */
int fix_verify_walk(struct fix_verify *v, struct desk *desk);

int fix_verify_say(struct fix_verify *v, const struct diagnosis *d); /* the exit status */
