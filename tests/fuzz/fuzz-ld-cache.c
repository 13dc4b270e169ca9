#include "parse/ld-cache.h"

#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span input = { (const char *)data, size };
	struct ld_cache_entry e;
	struct ld_cache cache;
	struct span path;

	if (!ld_cache_open(input, &cache))
		return 0;
	for (uint32_t i = 0; i < cache.count && i < 64; i++) {
		if (!ld_cache_entry(&cache, i, &e))
			continue;
		must_lie_in(e.name, input);
		must_lie_in(e.path, input);
		must(ld_cache_compare(e.name, e.name) == 0);
		if (ld_cache_find(&cache, e.name, e.flags, &path))
			must_lie_in(path, input);
	}
	must(!ld_cache_entry(&cache, cache.count, &e));
	return 0;
}
