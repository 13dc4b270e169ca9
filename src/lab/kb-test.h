#pragma once

/*
 * kb-test - the cases of causes, run as `check` would
 *
 * Each block of tests/causes/<slug>.cases is a machine, edited and diagnosed
 * with the whole knowledge, so that what explains a cause has its say too.
 */

#include "base/arena.h"
#include "base/buf.h"
#include "kb/cases.h"
#include "lab/lab.h"
#include "root/root.h"

struct kb_test {
	const char *tests;    /* directory of .cases */
	const char *machines; /* directory of .snap */
	struct span kb;       /* bytes of the kb.db */
	size_t passed, failed;
	struct buf *out; /* a line for each that failed */
	const struct lab *lab;
};

/* The names of all causes in the bytes of a kb.db; *ret stays as it was if there are none. */
size_t kb_test_causes(struct span kb, struct arena *arena, const char ***ret);

/* The names of all causes must have their cases. 0 or -errno. */
int kb_test_run(struct kb_test *t, const char *const *slugs, size_t count);

/* Only the form: a .cases with a block of each kind for each cause. */
void kb_test_lint(const char *tests, const char *const *slugs, size_t count, struct faults *faults);

/* ---- for those who test something else the same way ---- */

/* Of tests/NAME.cases; faults are added where a kind is missing. */
struct cases_block *kb_test_cases(const char *tests, const char *slug, bool workaround,
				  struct arena *arena, struct faults *faults);

/* A snapshot with edits after it; *ret_added names records that it did not have. 0 or -errno. */
int kb_test_open(const char *path, const char *edits, struct arena *arena, const char **ret_added,
		 struct root **ret);
