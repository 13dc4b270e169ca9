#include "parse/version-py.h"

#include <string.h>

#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span input = { (const char *)data, size };
	struct span rest = input, value;
	struct version_py v;

	while (version_py_next(&rest, &v)) {
		must(v.name.len > 0);
		must(v.quoted || v.value.len > 0);
		must_lie_in(v.name, input);
		must_lie_in(v.other, input);
		must_lie_in(v.value, input);
		must(v.value.len == 0 || !memchr(v.value.data, '\n', v.value.len));
	}
	if (version_py_pair(input, "is_rocm_build", &value))
		must_lie_in(value, input);
	return 0;
}
