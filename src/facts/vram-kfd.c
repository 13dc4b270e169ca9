#include "facts/vram-owners.h"

#include <string.h>

#include "door/standing.h"

#define PROCESSES     "/sys/class/kfd/kfd/proc"
#define PROCESSES_MAX 4096

/*
 * /sys/class/kfd/kfd/proc/1234/vram_38146 is what process 1234 has allocated on
 * the GPU with that gpu_id, in bytes; every process that ever opened /dev/kfd has
 * one file for each GPU, monitors too, and most hold 0. The pid is that of the
 * initial pid namespace, whoever reads it, and all files are 0444. Newer kernels
 * keep further contexts of a process below context_N. On an APU the bytes may lie
 * in GTT: then they are more than the VRAM in use.
 * Source: linux 6.1 to 7.2, kfd_process.c, kfd_procfs_show(),
 * kfd_create_process_sysfs(); amdgpu_amdkfd_gpuvm.c, apu_prefer_gtt.
 */
struct kfd_reading {
	struct collect *c;
	struct vram_owners *owners;
	uint64_t pid;
	const char *dir; /* of the process */
	bool unknown;    /* a GPU that is not offered here */
};

static const char *find_agent(struct collect *c, struct span gpu_id)
{
	uint64_t id;

	if (!span_u64(gpu_id, &id))
		return NULL;
	for (size_t i = 0; i < c->agent_count; i++)
		if (c->agents[i].gpu_id == id && c->agents[i].address)
			return vram_address(c, c->agents[i].address);
	return NULL;
}

static void fail(struct kfd_reading *x, int error, const char *path)
{
	if (error == -ENOENT)
		return; /* the process has ended */
	x->owners->incomplete = true;
	facts_gap(x->c->facts, "vram_owner", path, error, path);
}

static void read_share(struct kfd_reading *x, const char *dir, const char *name)
{
	const char *address = find_agent(x->c, span_of(name + strlen("vram_")));
	const char *path = arena_format(&x->c->arena, "%s/%s", dir, name);
	struct vram_owner *owner;
	struct span text;
	uint64_t bytes;
	int r;

	if (!address) {
		x->unknown = true;
		return;
	}
	r = root_read(x->c->root, path, &text);
	if (r == 0 && !span_u64(span_trim(text), &bytes))
		r = -EBADMSG;
	if (r < 0) {
		fail(x, r, path);
		return;
	}
	if (bytes == 0)
		return;
	owner = vram_owner_get(x->c, x->owners, VRAM_KFD, address, x->pid);
	if (owner) {
		vram_owner_add(owner, bytes);
		owner->source = x->dir;
	}
}

static void read_dir(struct kfd_reading *x, const char *dir, bool contexts)
{
	struct root_names names;
	int r = root_list(x->c->root, dir, &names);

	if (r < 0) {
		fail(x, r, dir);
		return;
	}
	for (size_t i = 0; i < names.count; i++) {
		struct span name = span_of(names.names[i]);

		if (span_starts(name, "vram_"))
			read_share(x, dir, names.names[i]);
		else if (contexts && span_starts(name, "context_"))
			read_dir(x, arena_format(&x->c->arena, "%s/%s", dir, names.names[i]),
				 false);
	}
}

void vram_kfd_collect(struct collect *c, struct vram_owners *o)
{
	struct kfd_reading x = { .c = c, .owners = o };
	struct root_names names;
	int r = root_list(c->root, PROCESSES, &names);

	if (r < 0) {
		o->incomplete = true;
		facts_gap(c->facts, "vram_owner", "", r, PROCESSES);
		return;
	}
	for (size_t i = 0; i < names.count && i < PROCESSES_MAX; i++) {
		if (!span_u64(span_of(names.names[i]), &x.pid) || x.pid > INT32_MAX)
			continue;
		x.dir = arena_format(&c->arena, PROCESSES "/%s", names.names[i]);
		read_dir(&x, x.dir, true);
	}
	if (names.count > PROCESSES_MAX) {
		o->incomplete = true;
		facts_gap_said(c->facts, "vram_owner", "", "unasked", "too many processes",
			       PROCESSES);
	}
	if (x.unknown) {
		o->incomplete = true;
		facts_gap_said(c->facts, "vram_owner", PROCESSES, "unasked",
			       "memory of GPUs that are not offered here", PROCESSES);
	}
}
