#include "fix/record.h"

#include <string.h>

#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Whatever is read can be written, and is then read again as the same. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct buf once BUF_SCOPED = { 0 };
	struct buf twice BUF_SCOPED = { 0 };
	struct fix_record r;

	if (fix_record_parse((struct span){ (const char *)data, size }, &r) < 0)
		return 0;
	must(r.count > 0 && r.count <= FIX_RECORD_ACTIONS_MAX);
	fix_record_text(&r, &once);
	fix_record_done(&r);
	if (fix_record_parse(buf_get(&once), &r) < 0)
		return 0; /* a name with a newline in it is refused the second time */
	fix_record_text(&r, &twice);
	fix_record_done(&r);
	must(once.len == twice.len && memcmp(once.data, twice.data, once.len) == 0);
	return 0;
}
