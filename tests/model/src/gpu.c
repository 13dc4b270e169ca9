#include "gpu.h"

#include "log.h"
#include "plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NODES "/sys/class/kfd/kfd/topology/nodes"

static struct gpu gpus[MOST_GPUS];
static unsigned count;

/* The value behind a key of a file of lines "key value"; 0 if it is not there. */
static uint64_t property(const char *path, const char *key)
{
	FILE *f = fopen(path, "re");
	char name[64];
	uint64_t value, found = 0;

	while (f && fscanf(f, "%63s %" SCNu64, name, &value) == 2)
		if (!strcmp(name, key))
			found = value;
	if (f)
		fclose(f);
	return found;
}

/* The only number of a file, decimal or with 0x; 0 if it is not there. */
__attribute__((format(printf, 1, 0))) static uint64_t number_in(const char *format, unsigned n)
{
	char path[128], text[64] = "";
	FILE *f;

	snprintf(path, sizeof(path), format, n);
	f = fopen(path, "re");
	if (f && !fgets(text, sizeof(text), f))
		text[0] = '\0';
	if (f)
		fclose(f);
	return strtoull(text, NULL, 0);
}

/* No file of /sys says it. Of gfx9.0 and 10.3 some are; of gfx11 one, and all of 11.5. */
static bool is_apu(unsigned gfx)
{
	static const unsigned list[] = { 90002, 90012, 100303, 100305, 100306, 100307, 110003 };

	for (unsigned i = 0; i < sizeof(list) / sizeof(*list); i++)
		if (list[i] == gfx)
			return true;
	return gfx / 100 == 1105;
}

static void read_memory(struct gpu *g)
{
	char path[128];

	snprintf(path, sizeof(path), NODES "/%u/mem_banks/0/properties", g->node);
	g->vram = plan_vram(g->node);
	if (g->vram == 0)
		g->vram = property(path, "size_in_bytes");
	g->memory_bits = (unsigned)property(path, "width");
	g->memory_mhz = (unsigned)property(path, "mem_clk_max");
	g->gtt = number_in("/sys/class/drm/renderD%u/device/mem_info_gtt_total", g->minor);
}

static void read_gpu(unsigned node, uint32_t id)
{
	char path[128];
	struct gpu *g = &gpus[count++];
#define NUMBER(key) ((unsigned)property(path, key))

	snprintf(path, sizeof(path), NODES "/%u/properties", node);
	*g = (struct gpu){
		.id = id,
		.node = node,
		.minor = NUMBER("drm_render_minor"),
		.gfx = NUMBER("gfx_target_version"),
		.device_id = NUMBER("device_id"),
		.simds = NUMBER("simd_count"),
		.arrays = NUMBER("array_count"),
		.arrays_per_engine = NUMBER("simd_arrays_per_engine"),
		.cus_per_array = NUMBER("cu_per_simd_array"),
		.simds_per_cu = NUMBER("simd_per_cu"),
		.wave_front = NUMBER("wave_front_size"),
		.engine_mhz = NUMBER("max_engine_clk_fcompute"),
	};
#undef NUMBER
	g->revision = (unsigned)number_in("/sys/class/drm/renderD%u/device/revision", g->minor);
	g->is_apu = is_apu(g->gfx);
	read_memory(g);
	log_line("gpu %u: node %u, gfx %u, render %u, %" PRIu64 " bytes", id, node, g->gfx,
		 g->minor, g->vram);
}

/* amdgpu drives what KFD leaves out, too: its render node is there, and no node of the topology. */
static void read_drm_only(unsigned minor)
{
	for (unsigned i = 0; i < count; i++)
		if (gpus[i].minor == minor)
			return;
	gpus[count++] = (struct gpu){ .minor = minor, .node = NO_NODE };
	log_line("render %u: not in the topology", minor);
}

/* Nodes are numbered without gaps; processors are among them, with a gpu_id of 0. */
void gpu_read_all(void)
{
	for (unsigned node = 0; node < 2 * MOST_GPUS && count < MOST_GPUS; node++) {
		uint32_t id = (uint32_t)number_in(NODES "/%u/gpu_id", node);

		if (id != 0)
			read_gpu(node, id);
	}
	for (unsigned minor = 128; minor < 192 && count < MOST_GPUS; minor++)
		if (number_in("/sys/class/drm/renderD%u/dev", minor) != 0)
			read_drm_only(minor);
}

unsigned gpu_count(void)
{
	return count;
}

struct gpu *gpu_at(unsigned index)
{
	return &gpus[index];
}

struct gpu *gpu_of_id(uint32_t id)
{
	for (unsigned i = 0; id != 0 && i < count; i++)
		if (gpus[i].id == id)
			return &gpus[i];
	return NULL;
}

uint64_t gpu_bit(const struct gpu *gpu)
{
	return 1ull << (gpu - gpus);
}
