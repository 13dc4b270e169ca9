#pragma once

/*
 * explain-files - the files that the words of a command line mean
 *
 * A directory means every regular file below it, by name. Links are not
 * followed: a directory of logs often has one called "latest".
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
};

/* Without a word it is "-". 0, or an exit status after saying what is wrong. */
int explain_files_find(const struct options *o, struct explain_files *ret);
void explain_files_done(struct explain_files *f);
