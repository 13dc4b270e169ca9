#pragma once

/*
 * explain-files - the files that the words of a command line mean
 *
 * A directory means every regular file below it, by name. A link counts if it
 * leads to a file outside: one called "latest" leads to a log that is explained
 * anyway. A link to a directory outside is told and left out.
 */

#include "base/arena.h"
#include "cli/options.h"

struct explain_file {
	const char *path;
	bool found; /* below a directory: nobody named it */
};

struct explain_files {
	struct arena arena;
	struct explain_file *list;
	size_t count;
	bool incomplete; /* something below a directory could not be looked at, and was told */
};

/* Without a word it is "-". 0, or an exit status after saying what is wrong. */
int explain_files_find(const struct options *o, struct explain_files *ret);
void explain_files_done(struct explain_files *f);
