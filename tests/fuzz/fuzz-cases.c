#include "kb/cases.h"

#include <string.h>

#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct faults faults = { 0 };
	struct arena arena = { 0 };
	struct cases_block *list = cases_parse((struct span){ (const char *)data, size }, "x",
					       size & 1, &arena, &faults);

	for (struct cases_block *b = list; b; b = b->next) {
		must(b->kind < CASES_KINDS && b->line >= 1);
		must(b->subject && b->edits);
		must(b->machine || (b->log && b->states && (*b->log || *b->states)) ||
		     faults.count > 0);
	}
	cases_check_kinds(list, "x", &faults);
	must((faults.count > 0) == (buf_get(&faults.text).len > 0));
	buf_done(&faults.text);
	arena_done(&arena);
	return 0;
}
