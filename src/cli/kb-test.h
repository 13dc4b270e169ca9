#pragma once

/*
 * kb-test - the cases of causes, run as `check` would
 *
 * Each block of tests/causes/<slug>.cases is a machine, edited and diagnosed
 * with the whole knowledge, so that what explains a cause has its say too.
 */

#include "base/arena.h"
#include "base/buf.h"
#include "kb/faults.h"

struct kb_test {
	const char *tests;    /* directory of .cases */
	const char *machines; /* directory of .snap */
	struct span kb;       /* bytes of the kb.db */
	size_t passed, failed;
	struct buf *out; /* a line for each that failed */
};

/* The names of all causes must have their cases. 0 or -errno. */
int kb_test_run(struct kb_test *t, const char *const *slugs, size_t count);

/* Only the form: a .cases with a block of each kind for each cause. */
void kb_test_lint(const char *tests, const char *const *slugs, size_t count, struct faults *faults);
