#include "parse/drm-fdinfo.h"

#include <stddef.h>

#include "parse/colon.h"

/*
 * Best key first. drm-resident-* is common to all drivers; drm-memory-* is
 * amdgpu's older word for it and still printed beside it. What the host can see
 * of the VRAM has only an amd- key, which not every kernel prints.
 */
static const struct region {
	const char *keys[3];
	size_t bytes;
	size_t flag;
} regions[] = {
	{ { "drm-resident-vram", "drm-memory-vram", "drm-total-vram" },
	  offsetof(struct drm_fdinfo, vram_bytes),
	  offsetof(struct drm_fdinfo, has_vram) },
	{ { "drm-resident-gtt", "drm-memory-gtt", "drm-total-gtt" },
	  offsetof(struct drm_fdinfo, gtt_bytes),
	  offsetof(struct drm_fdinfo, has_gtt) },
	{ { "amd-memory-visible-vram" },
	  offsetof(struct drm_fdinfo, visible_vram_bytes),
	  offsetof(struct drm_fdinfo, has_visible_vram) },
};

bool drm_fdinfo_parse(struct span text, struct drm_fdinfo *ret)
{
	struct drm_fdinfo info = { 0 };

	if (!colon_find(text, "drm-driver", &info.driver))
		return false;
	colon_find(text, "drm-pdev", &info.pdev);
	info.has_client_id = colon_find_u64(text, "drm-client-id", &info.client_id);
	for (size_t i = 0; i < sizeof(regions) / sizeof(regions[0]); i++) {
		uint64_t *bytes = (uint64_t *)((char *)&info + regions[i].bytes);
		bool *flag = (bool *)((char *)&info + regions[i].flag);

		for (size_t k = 0; k < 3 && regions[i].keys[k] && !*flag; k++)
			*flag = colon_find_bytes(text, regions[i].keys[k], bytes);
	}
	*ret = info;
	return true;
}
