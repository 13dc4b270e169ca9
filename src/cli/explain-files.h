#pragma once

/*
 * explain-files - the files and texts that the words of a command line mean
 *
 * A word is a file, unless none of that name exists and it reads like a message:
 * people type rocsteady explain 'RuntimeError: HIP error', also without quotes. One with
 * a blank is a text, unless it ends as the name of a log does.
 *
 * A directory means every regular file below it, by name. A link counts if it
 * leads to a file outside: one called "latest" leads to a log that is explained
 * anyway. A link to a directory outside is told and left out.
 */

#include "base/arena.h"
#include "cli/options.h"

struct explain_file {
	const char *path; /* "-" of a text */
	const char *text; /* a message that was typed in place of a name, or NULL */
	bool found;       /* below a directory: nobody named it */
	bool doubtful;    /* without blanks, or it begins as a path: it may be a mistyped name */
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
