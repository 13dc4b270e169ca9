/*
 * device.h - /dev/kfd and the render nodes, as files that a process has open
 *
 * Each device is a memfd: the offsets that the ioctls hand out lie in it, so the runtime's own
 * mmap() of the "device" maps the modelled memory, and nothing of it needs to be taken over.
 * Every open of a device gives another descriptor of the same memfd, known again by its inode.
 * A child that was forked shares the memory of its parent, which it would not with a real KFD.
 */
#pragma once

#include "gpu.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct device {
	int fd;
	ino_t inode;
	struct gpu *gpu; /* NULL: /dev/kfd */
	uint64_t end;    /* the first offset that no memory has */
};

/* Reads plan and topology. Called before anything else, once. */
void device_begin(void);

/* /dev/kfd is NULL, else the GPU's render node. NULL if the system refuses. */
struct device *device_of_gpu(struct gpu *gpu);

/* NULL if the descriptor is not one of ours. */
struct device *device_of_fd(int fd);

/* Room for that many bytes. False if the system refuses. */
bool device_grow(struct device *d, uint64_t size, uint64_t *ret_offset);

/* The memfd's inode, 0 on failure; not asked through our own fstat(). */
ino_t device_inode(int fd);
