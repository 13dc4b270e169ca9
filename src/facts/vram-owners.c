#include "facts/vram-owners.h"

#include <string.h>

#define OWNERS_MAX 4096

const char *vram_address(struct collect *c, const char *address)
{
	const struct collect_gpu *gpu = collect_find_gpu(c, address);

	if (gpu)
		return gpu->address;
	for (size_t i = 0; i < c->agent_count; i++)
		if (c->agents[i].address && strcmp(c->agents[i].address, address) == 0)
			return c->agents[i].address;
	return address;
}

struct vram_owner *vram_owner_find(const struct vram_owners *o, enum vram_share share,
				   const char *address, uint64_t pid)
{
	for (struct vram_owner *i = o->first; i; i = i->next)
		if (i->share == share && i->pid == pid && i->address == address)
			return i;
	return NULL;
}

struct vram_owner *vram_owner_get(struct collect *c, struct vram_owners *o, enum vram_share share,
				  const char *address, uint64_t pid)
{
	struct vram_owner *owner = vram_owner_find(o, share, address, pid);

	if (owner)
		return owner;
	if (o->count == OWNERS_MAX) {
		if (!o->full)
			facts_gap_said(c->facts, "vram_owner", "", "unasked", "too many owners",
				       NULL);
		o->full = o->incomplete = true;
		return NULL;
	}
	owner = arena_alloc(&c->arena, sizeof(*owner));
	owner->share = share;
	owner->address = address;
	owner->pid = pid;
	*(o->last ? &o->last->next : &o->first) = owner;
	o->last = owner;
	o->count++;
	return owner;
}

uint64_t vram_owners_bytes(const struct vram_owners *o, enum vram_share share, const char *address)
{
	struct vram_owner all = { 0 };

	for (const struct vram_owner *i = o->first; i; i = i->next)
		if (i->share == share && i->address == address)
			vram_owner_add(&all, i->bytes);
	return all.bytes;
}

void vram_owner_add(struct vram_owner *owner, uint64_t bytes)
{
	uint64_t room = INT64_MAX - owner->bytes;

	owner->bytes += bytes < room ? bytes : room;
}
