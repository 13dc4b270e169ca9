#include "parse/kernel-version.h"

#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span input = { (const char *)data, size };
	struct kernel_version v;

	if (kernel_version_parse(input, &v))
		must(size >= 3 && kernel_version_compare(&v, &v) == 0);
	return 0;
}
