#include "parse/colon.h"

#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span input = { (const char *)data, size };
	struct span rest = input, key, value;
	uint64_t bytes;

	while (colon_next(&rest, &key, &value)) {
		must(key.len > 0);
		must_lie_in(key, input);
		must_lie_in(value, input);
		colon_bytes(value, &bytes);
	}
	return 0;
}
