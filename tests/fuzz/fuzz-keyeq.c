#include "parse/keyeq.h"

#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span input = { (const char *)data, size };
	struct span rest = input, key, value;

	while (keyeq_next(&rest, &key, &value)) {
		must(key.len > 0);
		must_lie_in(key, input);
		must_lie_in(value, input);
	}
	must(rest.len == 0);
	if (keyeq_find(input, "ID", &value))
		must_lie_in(value, input);
	return 0;
}
