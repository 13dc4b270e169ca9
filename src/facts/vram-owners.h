#pragma once

/*
 * vram-owners - processes that hold memory of a GPU, one entry for each of both
 *
 * Two parts of the kernel tell: KFD by process and GPU (vram-kfd.c), DRM by open
 * file (vram-drm.c). They overlap, and collect-vram.c has to know both before it
 * can say who holds what.
 */

#include "facts/collect.h"

enum vram_share { VRAM_KFD, VRAM_DRM };

struct vram_owner {
	struct vram_owner *next;
	enum vram_share share;
	const char *address; /* compared as a pointer: see vram_address() */
	uint64_t pid;
	uint64_t bytes;
	const char *command; /* NULL: not known */
	const char *source;
};

struct vram_owners {
	struct vram_owner *first;
	struct vram_owner *last;
	size_t count;
	bool outside;    /* KFD's pids are the host's and mean nothing here */
	bool incomplete; /* somebody may hold memory and is not listed */
	bool full;
};

/* The one spelling of an address that all entries use. */
const char *vram_address(struct collect *c, const char *address);

/* The entry of a process and GPU, made if there is none; NULL if there are too many. */
struct vram_owner *vram_owner_get(struct collect *c, struct vram_owners *o, enum vram_share share,
				  const char *address, uint64_t pid);

/* Never beyond what a column can hold. */
void vram_owner_add(struct vram_owner *owner, uint64_t bytes);

/* NULL if the process has none of this GPU. */
struct vram_owner *vram_owner_find(const struct vram_owners *o, enum vram_share share,
				   const char *address, uint64_t pid);

/* Returns the bytes that all of them hold of a GPU. */
uint64_t vram_owners_bytes(const struct vram_owners *o, enum vram_share share, const char *address);

void vram_kfd_collect(struct collect *c, struct vram_owners *o);
void vram_drm_collect(struct collect *c, struct vram_owners *o);
