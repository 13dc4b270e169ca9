#pragma once

/*
 * kb-lint - the rules of the knowledge that need more than its own files
 *
 * On recorded machines every statement must stay within its budget, and no gate
 * may hide a row. Among the cases there must be some for every cause. Every
 * pattern meets the texts that cost it most.
 */

#include "kb/faults.h"
#include "lab/lab.h"

struct kb_lint {
	struct span kb;       /* bytes of the kb.db */
	const char *machines; /* a snapshot or a directory of them, or NULL */
	const char *tests;    /* directory of .cases, or NULL */
	struct faults *faults;
	const struct lab *lab;
	size_t causes; /* set: how many the kb.db has */
};

/* 0 whatever is found, or an exit status if a machine cannot be opened. */
int kb_lint_run(struct kb_lint *l);
