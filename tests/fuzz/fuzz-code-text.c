#include <string.h>

#include "code/code.h"
#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* An answer out of a stranger's snapshot: what was understood is written as it was understood. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct buf once BUF_SCOPED = { 0 }, twice BUF_SCOPED = { 0 };
	struct arena arena = { 0 };
	struct code code, again;

	if (code_parse((struct span){ (const char *)data, size }, &arena, &code)) {
		code_write(&code, &once);
		must(code_parse(buf_get(&once), &arena, &again));
		code_write(&again, &twice);
		must(once.len == twice.len && memcmp(once.data, twice.data, once.len) == 0);
	}
	arena_done(&arena);
	return 0;
}
