#pragma once

/*
 * writer-path - from the root of a writer to the directory that a path ends in
 *
 * For `writer*.c` alone: whoever else wants a path changed asks the
 * writer. Name by name, so that no link is followed where none may be.
 */

#include "fix/writer.h"

/* A descriptor of the directory (O_PATH) and the last name; -ELOOP for a link on the way. */
int writer_walk(const struct writer *w, const char *path, const char **ret_name);
