#include "parse/dpm.h"

#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span input = { (const char *)data, size };
	struct span rest = input;
	struct dpm_level level;

	while (dpm_next(&rest, &level))
		must(!level.asleep || level.index == 0);
	must(rest.len == 0);
	if (dpm_find_active(input, &level))
		must(level.active);
	return 0;
}
