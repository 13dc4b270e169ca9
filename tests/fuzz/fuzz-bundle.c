#include "parse/bundle.h"

#include <errno.h>

#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span input = { (const char *)data, size };
	struct bundle bundle, shorter;
	struct bundle_entry entry;
	uint64_t count = 0;
	size_t ids = 0;
	int r = bundle_open(input, &bundle);

	must(r == 0 || r == -ENODATA || r == -ENOEXEC || r == -EBADMSG);
	if (r < 0)
		return 0;
	must(bundle.table.data == input.data && bundle.table.len <= size);
	must(bundle.count <= BUNDLE_ENTRIES_MAX && bundle.table.len <= BUNDLE_TABLE_MAX);
	while (bundle_next(&bundle, &entry)) {
		must_lie_in(entry.id, bundle.table);
		ids += entry.id.len;
		count++;
	}
	must(count == bundle.count);
	must(bundle.table.len == 32 + 24 * count + ids);
	/* A byte less is too little, and none of it is read. */
	must(bundle_open((struct span){ input.data, bundle.table.len - 1 }, &shorter) == -ENODATA);
	return 0;
}
