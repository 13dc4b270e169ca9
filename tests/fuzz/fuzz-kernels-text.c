#include "code/kernels.h"

#include <string.h>

#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What is read, written and read again is the same. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct buf first BUF_SCOPED = { 0 }, second BUF_SCOPED = { 0 };
	struct arena arena = { 0 };
	struct kernels k;

	if (kernels_parse((struct span){ (const char *)data, size }, &arena, &k)) {
		kernels_write(&k, &first);
		must(kernels_parse(buf_get(&first), &arena, &k));
		kernels_write(&k, &second);
		must(first.len == second.len && memcmp(first.data, second.data, first.len) == 0);
	}
	arena_done(&arena);
	return 0;
}
