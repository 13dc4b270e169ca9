#include "parse/limits.h"

#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span input = { (const char *)data, size };
	struct span rest = input;
	struct limit limit;

	while (limits_next(&rest, &limit)) {
		must(limit.name.len > 0);
		must_lie_in(limit.name, input);
		must_lie_in(limit.unit, input);
		must(!limit.soft_unlimited || limit.soft == UINT64_MAX);
	}
	must(rest.len == 0);
	return 0;
}
