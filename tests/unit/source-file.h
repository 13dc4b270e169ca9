#pragma once

/*
 * source-file - a file of the source tree, for a test that needs it whole
 *
 * The tree is ROCSTEADY_SOURCE, or the working directory. A file that is not
 * there is a failed check and no bytes.
 */

#include <stdlib.h>

#include "base/buf.h"
#include "check.h"

static inline struct buf tree_file(const char *name)
{
	const char *root = getenv("ROCSTEADY_SOURCE");
	struct buf path = { 0 }, bytes = { 0 };
	char chunk[4096];
	size_t n;
	FILE *f;

	buf_addf(&path, "%s/%s", root ? root : ".", name);
	f = fopen(path.data, "rb");
	CHECK(f != NULL);
	while (f && (n = fread(chunk, 1, sizeof(chunk), f)) > 0)
		buf_add(&bytes, chunk, n);
	if (f)
		fclose(f);
	buf_done(&path);
	return bytes;
}
