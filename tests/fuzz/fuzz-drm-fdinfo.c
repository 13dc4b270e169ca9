#include "parse/drm-fdinfo.h"

#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span input = { (const char *)data, size };
	struct drm_fdinfo info;

	if (!drm_fdinfo_parse(input, &info))
		return 0;
	must_lie_in(info.driver, input);
	must_lie_in(info.pdev, input);
	must(info.has_vram || info.vram_bytes == 0);
	must(info.has_client_id || info.client_id == 0);
	return 0;
}
