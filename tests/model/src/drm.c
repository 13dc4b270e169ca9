#include "drm.h"

#include "abi.h"
#include "log.h"
#include "memory.h"
#include "plan.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

static void *pointer(uint64_t address)
{
	return (void *)(uintptr_t)address; /* NOLINT: an address by the ABI */
}

/* Asked twice: for the lengths, then for the texts. 3.61 is that of Linux 6.14. */
static int version(struct gpu *gpu, void *argument)
{
	struct drm_version *a = argument;
	static const char name[] = "amdgpu";

	(void)gpu;
	a->major = 3;
	a->minor = 61;
	a->patch = 0;
	if (a->name && a->name_length >= strlen(name))
		memcpy(pointer(a->name), name, strlen(name));
	a->name_length = strlen(name);
	a->date_length = a->description_length = 0;
	return 0;
}

/*
 * AMDGPU_FAMILY_* and the external revision of the kernel's amdgpu (soc15.c, nv.c, soc21.c, soc24.c),
 * by which ROCr's address library knows the chip; it asserts that it does.
 */
static void set_family(struct drm_device *d, unsigned gfx)
{
	static const struct {
		unsigned gfx, family, revision;
	} rows[] = {
		{ 90400, 141, 0x46 },  { 90010, 141, 0x3d },  { 90000, 141, 0x01 },
		{ 100300, 143, 0x28 }, { 110500, 150, 0x01 }, { 110000, 145, 0x01 },
		{ 120000, 152, 0x40 },
	};

	for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (rows[i].gfx / 10000 == gfx / 10000 &&
		    rows[i].gfx / 100 % 100 <= gfx / 100 % 100) {
			d->family = rows[i].family;
			d->external_rev = rows[i].revision;
			return;
		}
	log_line("no family for gfx %u", gfx);
}

/* AMDGPU_VRAM_TYPE_*: an APU has LPDDR5, HBM is wider than any other memory. */
static uint32_t vram_type(const struct gpu *g)
{
	enum { HBM = 6, GDDR6 = 9, LPDDR5 = 12 };

	return g->is_apu ? LPDDR5 : g->memory_bits >= 1024 ? HBM : GDDR6;
}

static void describe(const struct gpu *g, struct drm_device *d)
{
	unsigned engines = g->arrays_per_engine ? g->arrays / g->arrays_per_engine : 1;

	*d = (struct drm_device){
		.device_id = g->device_id,
		.pci_rev = g->revision,
		.shader_engines = engines,
		.arrays_per_engine = g->arrays_per_engine,
		.counter_khz = 100000,
		.max_engine_khz = g->engine_mhz * 1000ull,
		.max_memory_khz = g->memory_mhz * 1000ull,
		.cu_active = g->simds_per_cu ? g->simds / g->simds_per_cu : 0,
		.va_offset = 2 << 20,
		.va_max = 1ull << 47,
		.va_alignment = 4096,
		.pte_fragment = 2 << 20,
		.gart_page = 4096,
		.ids_flags = g->is_apu ? IDS_FUSION : 0,
		.vram_type = vram_type(g),
		.vram_bits = g->memory_bits,
		.wave_front = g->wave_front,
		.cus_per_array = g->cus_per_array,
	};
	for (unsigned i = 0; i < 16 && i < g->arrays; i++)
		d->cu_bitmap[i / 4][i % 4] = (1u << g->cus_per_array) - 1;
	set_family(d, g->gfx);
}

static void count_memory(const struct gpu *g, struct drm_memory *m)
{
	m->vram = (struct drm_heap){ g->vram, g->vram, g->used, g->vram };
	m->visible = m->vram;
	m->gtt = (struct drm_heap){ g->gtt, g->gtt, 0, g->gtt };
}

/* Queries that are not known here (firmware, registers, sensors) are answered with zeroes. */
static int info(struct gpu *gpu, void *argument)
{
	const struct drm_info *a = argument;
	union {
		uint8_t bytes[1024];
		struct drm_device device;
		struct drm_memory memory;
		uint32_t yes;
	} u = { .bytes = { 0 } };

	switch (a->query) {
	case INFO_ACCEL_WORKING:
		u.yes = 1;
		break;
	case INFO_DEVICE:
		describe(gpu, &u.device);
		break;
	case INFO_MEMORY:
		count_memory(gpu, &u.memory);
		break;
	default:
		log_line("drm info %#x: zeroes", a->query);
	}
	memcpy(pointer(a->answer), &u, a->answer_size < sizeof(u) ? a->answer_size : sizeof(u));
	return 0;
}

/* Memory is KFD's; a handle of GEM is only another name for it. */
static int gem_close(struct gpu *gpu, void *argument)
{
	(void)gpu;
	(void)argument;
	return 0;
}

static int handle_to_fd(struct gpu *gpu, void *argument)
{
	struct drm_prime *a = argument;
	struct kfd_export_dmabuf b = { .handle = a->handle };
	int error = memory_export(&b);

	(void)gpu;
	if (!error)
		a->fd = (int)b.fd;
	return error;
}

static int fd_to_handle(struct gpu *gpu, void *argument)
{
	struct drm_prime *a = argument;

	(void)gpu;
	return memory_gem_of_fd(a->fd, &a->handle);
}

static int gem_mmap(struct gpu *gpu, void *argument)
{
	struct drm_gem_mmap *a = argument;

	(void)gpu;
	return memory_gem_offset((uint32_t)a->handle_or_offset, &a->handle_or_offset);
}

static int gem_va(struct gpu *gpu, void *argument)
{
	return memory_gem_map(gpu, argument);
}

static int gem_op(struct gpu *gpu, void *argument)
{
	const struct drm_gem_op *a = argument;
	struct drm_gem_create_info *to = pointer(a->value);

	(void)gpu;
	if (a->operation != GEM_GET_CREATE_INFO)
		return EINVAL;
	*to = (struct drm_gem_create_info){ .alignment = 4096, .domains = 4 /* VRAM */ };
	return memory_gem_size(a->handle, &to->size);
}

static int gem_metadata(struct gpu *gpu, void *argument)
{
	(void)gpu;
	return memory_gem_metadata(argument);
}

static const struct call {
	const char *name;
	int (*answer)(struct gpu *gpu, void *argument);
} calls[] = {
	[DRM_VERSION] = { "drm-version", version },
	[DRM_GEM_CLOSE] = { "gem-close", gem_close },
	[DRM_PRIME_HANDLE_TO_FD] = { "handle-to-fd", handle_to_fd },
	[DRM_PRIME_FD_TO_HANDLE] = { "fd-to-handle", fd_to_handle },
	[DRM_GEM_MMAP] = { "gem-mmap", gem_mmap },
	[DRM_INFO] = { "drm-info", info },
	[DRM_GEM_METADATA] = { "gem-metadata", gem_metadata },
	[DRM_GEM_VA] = { "gem-va", gem_va },
	[DRM_GEM_OP] = { "gem-op", gem_op },
};

int drm_ioctl(struct gpu *gpu, unsigned number, void *argument)
{
	const struct call *call = &calls[number];
	int error;

	if (number >= sizeof(calls) / sizeof(*calls) || !call->answer) {
		log_line("drm ioctl %#x is not modelled", number);
		return EINVAL;
	}
	error = plan_suffer(plan_meet(call->name, "", gpu->node));
	if (!error)
		error = call->answer(gpu, argument);
	log_line("drm %s: %s", call->name, error ? strerror(error) : "ok");
	return error;
}
