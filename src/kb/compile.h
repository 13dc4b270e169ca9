#pragma once

/*
 * compile - from the YAML below kb/ to the bytes of a kb.db
 *
 * Pure: files in, bytes out, the same for the same files. Strict: everything
 * that is wrong is said with file and line, and then there are no bytes.
 */

#include "kb/faults.h"

struct compile_file {
	const char *path; /* below the directory: causes/x.yaml, VERSION */
	struct span text;
};

/* 0 and the bytes, -EBADMSG with faults, or -ENOMEM. */
int compile(const struct compile_file *files, size_t count, struct faults *faults, struct buf *ret);
