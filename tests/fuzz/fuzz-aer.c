#include "parse/aer.h"

#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span all = { (const char *)data, size }, rest = all;
	struct aer_error e;

	while (aer_next(&rest, &e)) {
		must_lie_in(e.name, all);
		must(e.name.len > 0 && !span_starts(e.name, "TOTAL_"));
	}
	must(rest.len == 0);
	return 0;
}
