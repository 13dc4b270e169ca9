#include "parse/journal.h"

#include <stdlib.h>

#include "../unit/extents.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/*
 * The input is a file of extents (see extents.h), so that a real journal's
 * empty hash table costs no bytes. The budget is shortened: a fuzzer that finds
 * the longest way has found nothing.
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct extents x = { { (const char *)data, size } };
	struct journal_entry entry;
	struct journal journal;
	uint64_t count = 0;

	if (journal_init(&journal, extents_read_at, &x) < 0)
		return 0;
	journal.objects = JOURNAL_OBJECTS_MAX - 2000;
	if (journal_seek_kernel(&journal, size % 2 ? 5 : UINT64_MAX) < 0)
		return 0;
	while (journal_next(&journal, &entry) > 0) {
		count++;
		if (entry.message.len > JOURNAL_TEXT_MAX || entry.priority > 7)
			abort();
	}
	if (count > 2000 || journal.objects > JOURNAL_OBJECTS_MAX + 1)
		abort();
	return 0;
}
