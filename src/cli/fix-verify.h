#pragma once

/*
 * fix-verify - whether a remedy has helped, in words
 */

#include "cli/open.h"
#include "fix/verify.h"

/* The applied remedy, and the user and the environment to judge. */
void fix_verify_aim(const struct options *o, struct arena *a, struct options *ret_words,
		    struct fix_question *ret);

/* A remedy that is proved by a probe is: the walk comes before the diagnosis. 0 or an exit status. */
int fix_verify_walk(const struct options *o, struct context *context, struct arena *a,
		    struct fix_question *q);

int fix_verify_say(const struct options *o, const struct fix_verdict *v); /* the exit status */
