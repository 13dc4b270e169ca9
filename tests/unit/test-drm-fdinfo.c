#include "parse/drm-fdinfo.h"

#include "check-span.h"

/* An APU, as older kernels print it. */
static const char old[] = "pos:\t0\n"
			  "flags:\t02100002\n"
			  "drm-driver:\tamdgpu\n"
			  "drm-client-id:\t147\n"
			  "drm-pdev:\t0000:c4:00.0\n"
			  "pasid:\t32771\n"
			  "drm-memory-vram:\t1984704 KiB\n"
			  "drm-memory-gtt: \t252368 KiB\n"
			  "amd-memory-visible-vram:\t1984704 KiB\n";

static void test_old(void)
{
	struct drm_fdinfo info;

	CHECK(drm_fdinfo_parse(SPAN_LITERAL(old), &info));
	CHECK_SPAN(info.driver, "amdgpu");
	CHECK_SPAN(info.pdev, "0000:c4:00.0");
	CHECK(info.has_client_id && info.client_id == 147);
	CHECK(info.has_vram && info.vram_bytes == 1984704ull * 1024);
	CHECK(info.has_gtt && info.gtt_bytes == 252368ull * 1024);
	CHECK(info.has_visible_vram && info.visible_vram_bytes == 1984704ull * 1024);
}

static const struct {
	const char *keys;
	bool has;
	uint64_t bytes;
	const char *why;
} rows[] = {
	{ "drm-total-vram: 3 MiB\ndrm-memory-vram: 2 MiB\ndrm-resident-vram: 1 MiB\n", true,
	  1 << 20, "resident is preferred" },
	{ "drm-total-vram: 3 MiB\ndrm-memory-vram: 2 MiB\n", true, 2 << 20, "then memory" },
	{ "drm-total-vram: 3 MiB\n", true, 3 << 20, "then the total" },
	{ "drm-resident-vram: 4096\n", true, 4096, "no unit" },
	{ "drm-resident-vram: 0\n", true, 0, "nothing held is known, not absent" },
	{ "drm-resident-vram: lots\ndrm-total-vram: 5 KiB\n", true, 5120,
	  "nonsense is passed over" },
	{ "drm-shared-vram: 5 KiB\n", false, 0, "another key" },
};

static void test_regions(void)
{
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		char text[256];
		struct drm_fdinfo info;

		snprintf(text, sizeof(text), "drm-driver: amdgpu\n%s", rows[i].keys);
		ROW_CHECK(drm_fdinfo_parse(span_of(text), &info), rows[i].why);
		ROW_CHECK(info.has_vram == rows[i].has && info.vram_bytes == rows[i].bytes,
			  rows[i].why);
		ROW_CHECK(!info.has_gtt && !info.has_client_id && info.pdev.len == 0, rows[i].why);
	}
}

int main(void)
{
	struct drm_fdinfo info = { .client_id = 7 };

	test_old();
	test_regions();
	CHECK(!drm_fdinfo_parse(SPAN_LITERAL("pos:\t0\nflags:\t02\n"), &info));
	CHECK(info.client_id == 7);
	return check_end();
}
