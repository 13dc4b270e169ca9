#include "parse/offload-binary.h"

#include <errno.h>

#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span input = { (const char *)data, size };
	struct offload_binary binary;
	struct offload_entry entry;
	uint64_t count = 0;
	int r = offload_binary_parse(input, &binary);

	must(r == 0 || r == -ENODATA || r == -ENOEXEC || r == -EBADMSG);
	if (r < 0)
		return 0;
	while ((r = offload_binary_entry(input, &binary, count, &entry)) == 0) {
		must_lie_in(entry.arch, input);
		must_lie_in(entry.triple, input);
		count++;
	}
	must(count <= OFFLOAD_BINARY_ENTRIES_MAX);
	must(r != -ENOENT || binary.compressed || count == binary.count);
	return 0;
}
