#include "parse/cmdline.h"

#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span input = { (const char *)data, size };
	struct span rest = input;
	struct cmdline_param param;

	while (cmdline_next(&rest, &param)) {
		must_lie_in(param.name, input);
		must_lie_in(param.value, input);
		must(param.has_value || param.value.len == 0);
	}
	must(rest.len == 0);
	return 0;
}
