#pragma once

/*
 * drm-fdinfo - who holds GPU memory, from /proc/PID/fdinfo/FD of a DRM file
 *
 *	drm-driver:	amdgpu
 *	drm-client-id:	42
 *	drm-pdev:	0000:03:00.0
 *	drm-memory-vram:	20464 KiB
 *
 * Several descriptors may show the same client: count each client id once for
 * each device. Memory is what is resident, else what older kernels call
 * memory, else the total.
 */

#include "base/span.h"

struct drm_fdinfo {
	struct span driver; /* empty when absent */
	struct span pdev;   /* empty when absent */
	uint64_t client_id;
	uint64_t vram_bytes;
	uint64_t gtt_bytes;
	uint64_t visible_vram_bytes;
	bool has_client_id;
	bool has_vram;
	bool has_gtt;
	bool has_visible_vram;
};

/* False when the text is no DRM fdinfo: it names no driver. */
bool drm_fdinfo_parse(struct span text, struct drm_fdinfo *ret);
