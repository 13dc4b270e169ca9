#include "kfd.h"

#include "abi.h"
#include "device.h"
#include "event.h"
#include "log.h"
#include "memory.h"
#include "plan.h"
#include "queue.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

/* Room for the longest argument, which is that of svm. */
#define ARGUMENT_WORDS  512
#define MOST_ATTRIBUTES (ARGUMENT_WORDS - sizeof(struct kfd_svm) / 8)

static int get_version(void *argument)
{
	struct kfd_version *a = argument;

	a->major = plan_settings.abi_major;
	a->minor = plan_settings.abi_minor;
	return 0;
}

static int create_queue(void *argument)
{
	return queue_create(argument);
}

static int destroy_queue(void *argument)
{
	return queue_destroy(((const struct kfd_queue_id *)argument)->queue_id);
}

/* The GPU counts at 100 MHz, the system in nanoseconds. */
static int get_clocks(void *argument)
{
	struct kfd_clocks *a = argument;

	a->gpu = queue_ticks();
	a->cpu = a->system = a->gpu * 10;
	a->system_frequency = 1000000000;
	return gpu_of_id(a->gpu_id) ? 0 : EINVAL;
}

static int create_event(void *argument)
{
	return event_create(argument);
}

static int destroy_event(void *argument)
{
	return event_destroy(((const struct kfd_event_id *)argument)->event_id);
}

static int set_event(void *argument)
{
	return event_set(((const struct kfd_event_id *)argument)->event_id);
}

static int reset_event(void *argument)
{
	return event_reset(((const struct kfd_event_id *)argument)->event_id);
}

static int wait_events(void *argument)
{
	return event_wait(argument);
}

/* GB_ADDR_CONFIG of a gfx11; the arrays are for gfx8 and older. */
static int get_tiles(void *argument)
{
	struct kfd_tiles *a = argument;

	a->tile_count = a->macro_tile_count = a->banks = a->ranks = 0;
	a->address_config = 0x545;
	return gpu_of_id(a->gpu_id) ? 0 : EINVAL;
}

/* LDS and scratch lie where no pointer of a process can be (SH_MEM_BASES of gfx9 and later). */
static void fill_aperture(struct kfd_aperture *a, const struct gpu *g)
{
	*a = (struct kfd_aperture){
		.lds_base = 1ull << 48,
		.lds_limit = (1ull << 48) + UINT32_MAX,
		.scratch_base = 2ull << 48,
		.scratch_limit = (2ull << 48) + UINT32_MAX,
		.gpuvm_base = 1 << 24,
		.gpuvm_limit = (1ull << 47) - 1,
		.gpu_id = g->id,
	};
}

static int get_apertures(void *argument)
{
	struct kfd_apertures *a = argument;
	struct kfd_aperture *to =
		(void *)(uintptr_t)a->apertures; /* NOLINT: an address by the ABI */

	unsigned count = 0;

	for (unsigned i = 0; i < gpu_count(); i++) {
		if (gpu_at(i)->id == 0)
			continue;
		if (to && count < a->count)
			fill_aperture(&to[count], gpu_at(i));
		count++;
	}
	a->count = count;
	return 0;
}

static int acquire_vm(void *argument)
{
	const struct kfd_acquire_vm *a = argument;
	const struct device *d = device_of_fd((int)a->drm_fd);

	return d && d->gpu && d->gpu->id == a->gpu_id ? 0 : EINVAL;
}

static int alloc_memory(void *argument)
{
	return memory_alloc(argument);
}

static int free_memory(void *argument)
{
	return memory_free(((const struct kfd_free_memory *)argument)->handle);
}

/* The GPUs that the argument lists; false if one of them is not there. */
static bool gpus_of(const struct kfd_map_memory *a, uint64_t *ret)
{
	const uint32_t *ids = (void *)(uintptr_t)a->device_ids; /* NOLINT: an address by the ABI */

	*ret = 0;
	for (uint32_t i = 0; i < a->devices; i++) {
		const struct gpu *g = gpu_of_id(ids[i]);

		if (!g)
			return false;
		*ret |= gpu_bit(g);
	}
	return true;
}

static int map_memory(void *argument)
{
	struct kfd_map_memory *a = argument;
	uint64_t gpus;
	int error = gpus_of(a, &gpus) ? memory_map(a->handle, gpus) : EINVAL;

	a->done = error ? 0 : a->devices;
	return error;
}

static int unmap_memory(void *argument)
{
	struct kfd_map_memory *a = argument;
	uint64_t gpus;
	int error = gpus_of(a, &gpus) ? memory_unmap(a->handle, gpus) : EINVAL;

	a->done = error ? 0 : a->devices;
	return error;
}

static int svm(void *argument)
{
	struct kfd_svm *a = argument;

	return a->count > MOST_ATTRIBUTES ? EINVAL
	       : a->operation == SVM_SET  ? memory_svm_set(a)
					  : memory_svm_get(a);
}

static int get_dmabuf(void *argument)
{
	return memory_describe(argument);
}

static int import_dmabuf(void *argument)
{
	return memory_import(argument);
}

static int export_dmabuf(void *argument)
{
	return memory_export(argument);
}

static int ipc_import(void *argument)
{
	return plan_settings.is_dkms ? memory_ipc_import(argument) : EINVAL;
}

static int ipc_export(void *argument)
{
	return plan_settings.is_dkms ? memory_ipc_export(argument) : EINVAL;
}

/* Asked with -1. No GPU of the model retries page faults, so it cannot be turned on. */
static int set_xnack(void *argument)
{
	struct kfd_xnack *a = argument;

	if (a->enabled > 0)
		return EPERM;
	a->enabled = 0;
	return 0;
}

static int get_available(void *argument)
{
	struct kfd_available *a = argument;
	const struct gpu *g = gpu_of_id(a->gpu_id);

	if (!g)
		return EINVAL;
	a->bytes = g->vram - g->used;
	return 0;
}

/* Policies, masks and handlers that change nothing here: no trap handler is run. */
static int accept_it(void *argument)
{
	(void)argument;
	return 0;
}

static const char *kind_of_queue(const void *argument)
{
	const struct kfd_create_queue *a = argument;

	return a->type == QUEUE_AQL ? "aql" : a->type == QUEUE_PM4 ? "pm4" : "sdma";
}

static const char *kind_of_memory(const void *argument)
{
	uint32_t flags = ((const struct kfd_alloc_memory *)argument)->flags;

	return flags & MEMORY_VRAM       ? "vram"
	       : flags & MEMORY_GTT      ? "gtt"
	       : flags & MEMORY_USERPTR  ? "userptr"
	       : flags & MEMORY_DOORBELL ? "doorbell"
					 : "mmio";
}

static const char *kind_of_event(const void *argument)
{
	uint32_t type = ((const struct kfd_create_event *)argument)->type;

	return type == EVENT_SIGNAL ? "signal" : type == EVENT_MEMORY ? "memory" : "exception";
}

#define GPU_IN(type) offsetof(struct type, gpu_id)

static const struct call {
	const char *name;
	int (*answer)(void *argument);
	const char *(*kind)(const void *argument);
	size_t gpu_id_at; /* 0: the argument has none */
} calls[KFD_NUMBERS] = {
	[KFD_GET_VERSION] = { "get-version", get_version, NULL, 0 },
	[KFD_CREATE_QUEUE] = { "create-queue", create_queue, kind_of_queue,
			       GPU_IN(kfd_create_queue) },
	[KFD_DESTROY_QUEUE] = { "destroy-queue", destroy_queue, NULL, 0 },
	[KFD_SET_MEMORY_POLICY] = { "set-memory-policy", accept_it, NULL, 0 },
	[KFD_GET_CLOCKS] = { "get-clocks", get_clocks, NULL, GPU_IN(kfd_clocks) },
	[KFD_UPDATE_QUEUE] = { "update-queue", accept_it, NULL, 0 },
	[KFD_CREATE_EVENT] = { "create-event", create_event, kind_of_event },
	[KFD_DESTROY_EVENT] = { "destroy-event", destroy_event, NULL, 0 },
	[KFD_SET_EVENT] = { "set-event", set_event, NULL, 0 },
	[KFD_RESET_EVENT] = { "reset-event", reset_event, NULL, 0 },
	[KFD_WAIT_EVENTS] = { "wait-events", wait_events, NULL, 0 },
	[KFD_SET_SCRATCH] = { "set-scratch", accept_it, NULL, 0 },
	[KFD_GET_TILES] = { "get-tiles", get_tiles, NULL, GPU_IN(kfd_tiles) },
	[KFD_SET_TRAP_HANDLER] = { "set-trap-handler", accept_it, NULL, 0 },
	[KFD_GET_APERTURES] = { "get-apertures", get_apertures, NULL, 0 },
	[KFD_ACQUIRE_VM] = { "acquire-vm", acquire_vm, NULL, GPU_IN(kfd_acquire_vm) },
	[KFD_ALLOC_MEMORY] = { "alloc-memory", alloc_memory, kind_of_memory,
			       GPU_IN(kfd_alloc_memory) },
	[KFD_FREE_MEMORY] = { "free-memory", free_memory, NULL, 0 },
	[KFD_MAP_MEMORY] = { "map-memory", map_memory, NULL, 0 },
	[KFD_UNMAP_MEMORY] = { "unmap-memory", unmap_memory, NULL, 0 },
	[KFD_SET_CU_MASK] = { "set-cu-mask", accept_it, NULL, 0 },
	[KFD_GET_DMABUF] = { "get-dmabuf", get_dmabuf, NULL, 0 },
	[KFD_IMPORT_DMABUF] = { "import-dmabuf", import_dmabuf, NULL, GPU_IN(kfd_import_dmabuf) },
	[KFD_ALLOC_GWS] = { "alloc-gws", accept_it, NULL, 0 },
	[KFD_SVM] = { "svm", svm, NULL, 0 },
	[KFD_SET_XNACK] = { "set-xnack", set_xnack, NULL, 0 },
	[KFD_GET_AVAILABLE] = { "get-available", get_available, NULL, GPU_IN(kfd_available) },
	[KFD_IPC_IMPORT] = { "ipc-import", ipc_import, NULL, GPU_IN(kfd_ipc_import) },
	[KFD_IPC_EXPORT] = { "ipc-export", ipc_export, NULL, GPU_IN(kfd_ipc_export) },
	[KFD_EXPORT_DMABUF] = { "export-dmabuf", export_dmabuf, NULL, 0 },
	[KFD_ENABLE_RUNTIME] = { "enable-runtime", accept_it, NULL, 0 },
};

static unsigned node_of(const struct call *call, const void *argument)
{
	uint32_t id;
	const struct gpu *g;

	memcpy(&id, (const char *)argument + call->gpu_id_at, sizeof(id));
	g = call->gpu_id_at ? gpu_of_id(id) : NULL;
	return g ? g->node : PLAN_ANY_NODE;
}

/* Of mapping, each GPU that is to have it is asked for its own fault. */
static int meet(const struct call *call, const char *kind, const void *argument)
{
	const struct kfd_map_memory *a = argument;
	uint64_t gpus;
	int error = plan_suffer(plan_meet(call->name, kind, node_of(call, argument)));

	if (call->answer != map_memory || !gpus_of(a, &gpus))
		return error;
	for (unsigned i = 0; !error && i < gpu_count(); i++)
		if (gpus >> i & 1)
			error = plan_suffer(plan_meet("map-memory-on", "", gpu_at(i)->node));
	return error;
}

static int answer(const struct call *call, void *argument)
{
	const char *kind = call->kind ? call->kind(argument) : "";
	int error = meet(call, kind, argument);

	if (!error)
		error = call->answer(argument);
	if (error || call->answer != wait_events)
		log_line("kfd %s%s%s: %s", call->name, *kind ? "." : "", kind,
			 error ? strerror(error) : "ok");
	return error;
}

/* As kfd_ioctl() of the kernel does: the caller's bytes, zeroes behind them, and back as many as it gave. */
int kfd_ioctl(unsigned number, void *argument, unsigned size)
{
	uint64_t buffer[ARGUMENT_WORDS] = { 0 };
	const struct call *call = number < KFD_NUMBERS ? &calls[number] : &calls[0];
	int error;

	if (!call->answer || size > sizeof(buffer)) {
		log_line("kfd ioctl %#x of %u bytes is not modelled", number, size);
		return EINVAL;
	}
	memcpy(buffer, argument, size);
	error = answer(call, buffer);
	memcpy(argument, buffer, size);
	return error;
}
