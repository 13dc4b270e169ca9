#include "facts/collect.h"

#include "door/standing.h"
#include "facts/vram-owners.h"

/*
 * Memory that the driver keeps for itself on an idle card without a monitor:
 * firmware, its protected region (TMR), page tables. The most seen is 284 MiB, on
 * MI300X in SPX and in CPX mode (ROCm/legacy-rocm-build#4750: 297771008 bytes;
 * others by amd-smi: 283 to 285 MB of 196592). A leak is another size: 46 GB of
 * 262 on each of eight idle MI325X (ROCm/rocm-systems#8263), 1 GB of 16 on a
 * Radeon VII (ROCm/amdgpu#84). Below this bound no user misses anything.
 */
#define DRIVER_KEEPS ((uint64_t)1 << 30)

/*
 * The memory of a compute process shows twice. KFD works in the address space of
 * the process's own render node, so that node's fdinfo counts every KFD buffer
 * mapped there, besides page tables and what the process allocates by DRM. It
 * also counts buffers that lie on another GPU of the hive. Hence only what
 * exceeds KFD's own count is DRM's, and only as far as there is memory for it.
 * Source: linux 6.1 to 7.2, amdgpu_amdkfd_gpuvm.c, kfd_mem_attach() with
 * KFD_MEM_ATT_SHARED and amdgpu_vm_bo_add(); amdgpu_fdinfo.c; amdgpu_vm.c,
 * amdgpu_vm_get_memory().
 *
 * Seen from another pid namespace the two numbers of one process differ and
 * nobody can match them: any client may then be one of KFD's processes.
 */
struct gpu_count {
	const char *address;
	uint64_t kfd;       /* held by compute processes */
	uint64_t unmatched; /* of that, what may yet show up as some client's */
	uint64_t left;      /* in use, and not by those counted so far */
};

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t drm_bytes(const struct vram_owners *o, const struct vram_owner *owner,
			  struct gpu_count *g)
{
	const struct vram_owner *twin = vram_owner_find(o, VRAM_KFD, owner->address, owner->pid);
	uint64_t twice;

	if (o->outside) {
		twice = least(owner->bytes, g->unmatched);
		g->unmatched -= twice;
	} else {
		twice = twin ? least(owner->bytes, twin->bytes) : 0;
	}
	return o->outside || twin ? least(owner->bytes - twice, g->left) : owner->bytes;
}

/* A pid of another namespace is never looked up: here it is another process, or none. */
static void add_owner(struct collect *c, const struct vram_owners *o,
		      const struct vram_owner *owner, uint64_t bytes)
{
	struct row r = row_of("vram_owner");
	bool outside = owner->share == VRAM_KFD && o->outside;
	struct span name;

	if (bytes == 0)
		return;
	row_string(&r, "address", owner->address);
	row_string(&r, "share", owner->share == VRAM_DRM ? "drm" : outside ? "kfd-outside" : "kfd");
	row_u64(&r, "pid", owner->pid);
	if (owner->share == VRAM_DRM)
		row_string(&r, "command", owner->command);
	else if (!outside && collect_read(c, "vram_owner.command", owner->address, &name,
					  "/proc/%llu/comm", (unsigned long long)owner->pid))
		row_text(&r, "command", name);
	row_u64(&r, "bytes", bytes);
	row_string(&r, "source", owner->source);
	facts_add(c->facts, &r);
}

/*
 * 1 only where nothing else can hold it. 0 where it is what the driver keeps, or
 * where somebody is there who may hold more than is counted: a monitor's
 * framebuffers, a compute process with migrated memory (linux 6.1 does not count
 * that) or with buffers imported from one that ended. Not known where not every
 * process could be seen.
 */
static void add_orphaned(struct collect *c, struct row *r, const struct vram_owners *o,
			 const struct collect_gpu *gpu, const struct gpu_count *g)
{
	if (g->left <= DRIVER_KEEPS || gpu->display || g->kfd > 0)
		row_int(r, "orphaned", 0);
	else if (!o->outside && !o->incomplete && gpu->card)
		row_int(r, "orphaned", 1);
	else
		facts_gap_said(c->facts, "vram_owner.orphaned", gpu->address, "unasked",
			       o->outside      ? "processes outside this pid namespace are not seen"
			       : o->incomplete ? "not every process could be seen"
					       : "no card: its monitors are not known",
			       NULL);
}

static void add_rest(struct collect *c, const struct vram_owners *o, const struct collect_gpu *gpu,
		     const struct gpu_count *g)
{
	struct row r = row_of("vram_owner");
	const char *source = arena_format(&c->arena, "%s/mem_info_vram_used", gpu->dir);

	if (!gpu->vram_known || gpu->vram_used > INT64_MAX) {
		facts_gap_said(c->facts, "vram_owner", gpu->address, "absent",
			       "the memory in use is not known", source);
		return;
	}
	row_string(&r, "address", gpu->address);
	row_string(&r, "share", "rest");
	row_u64(&r, "bytes", g->left);
	add_orphaned(c, &r, o, gpu, g);
	row_string(&r, "source", source);
	facts_add(c->facts, &r);
}

static void collect_gpu(struct collect *c, const struct vram_owners *o, const char *address)
{
	const struct collect_gpu *gpu = collect_find_gpu(c, address);
	struct gpu_count g = {
		.address = address,
		.kfd = vram_owners_bytes(o, VRAM_KFD, address),
		.left = INT64_MAX,
	};

	g.unmatched = g.kfd;
	if (gpu && gpu->vram_known)
		g.left = gpu->vram_used - least(gpu->vram_used, g.kfd);
	for (const struct vram_owner *i = o->first; i; i = i->next) {
		uint64_t bytes = i->bytes;

		if (i->address != address)
			continue;
		if (i->share == VRAM_DRM) {
			bytes = drm_bytes(o, i, &g);
			g.left -= least(bytes, g.left);
		}
		add_owner(c, o, i, bytes);
	}
	if (gpu)
		add_rest(c, o, gpu, &g);
}

/* Compute processes of a GPU that the bus does not show. */
static bool is_off_bus(struct collect *c, size_t agent)
{
	const char *address = c->agents[agent].address;

	return address && !collect_find_gpu(c, address) && vram_address(c, address) == address;
}

void collect_vram(struct collect *c)
{
	struct vram_owners owners = { .outside = c->own_pids || !c->own_pids_known };

	vram_kfd_collect(c, &owners);
	vram_drm_collect(c, &owners);
	for (size_t i = 0; i < c->gpu_count; i++)
		collect_gpu(c, &owners, c->gpus[i].address);
	for (size_t i = 0; i < c->agent_count; i++)
		if (is_off_bus(c, i))
			collect_gpu(c, &owners, c->agents[i].address);
}
