#pragma once

/*
 * rules - what a release requires, and what it leaves out on purpose
 *
 * A file that is kept beside the build, a rule a line:
 *
 *	require gfx1100,gfx942       as --require
 *	skip *_rocm62.so             these rows are not judged
 *	skip gemm/aot/co* gfx942     nor these for that target
 *
 * A glob fits a path from the start of any of its parts to the end; * stands for anything,
 * / too. A rule that fits nothing is old, and reported.
 */

#include "targets/targets.h"

struct targets_rule {
	const char *glob;
	const char *targets; /* with commas; NULL: all */
	const char *from;    /* "--skip", or FILE:LINE */
	bool used;
};

/* --skip: globs with commas. */
void targets_rules_skip(struct targets *t, const char *globs);

/*
 * A file's text. False: a line is no rule, its number is in *ret_line. *ret_require has what all
 * lines require, with commas, or NULL.
 */
bool targets_rules_parse(struct targets *t, struct span text, const char *file,
			 const char **ret_require, unsigned int *ret_line);

/* Takes the rows out that a rule leaves out for all targets; called by targets_judge(). */
void targets_rules_apply(struct targets *t);

/* Whether a rule leaves out this path, whole, or for this target. */
bool targets_rules_leave_out(struct targets *t, const char *path, const char *target);
