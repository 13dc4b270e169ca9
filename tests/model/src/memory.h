/*
 * memory.h - allocations of the GPUs, their place in the process, and dma-bufs of them
 *
 * An address of the GPU is the same address of the process, as with shared virtual memory. What the
 * runtime does not map for the host is mapped here for the engines when it is mapped to a GPU; which
 * GPU may reach it, reach.c keeps. A dma-buf is a memfd whose name says what it is of, so that another
 * process that it is handed to knows it, too.
 */
#pragma once

#include "abi.h"
#include "gpu.h"

#include <sys/types.h>

/* Each gives 0 or an errno; the structures are those of the ioctls. */
int memory_alloc(struct kfd_alloc_memory *a);
int memory_free(uint64_t handle);
int memory_map(uint64_t handle, uint64_t gpus);
int memory_unmap(uint64_t handle, uint64_t gpus);
int memory_svm_set(const struct kfd_svm *a);
int memory_svm_get(struct kfd_svm *a);
int memory_export(struct kfd_export_dmabuf *a);
int memory_import(struct kfd_import_dmabuf *a);
int memory_describe(struct kfd_get_dmabuf *a);
int memory_ipc_export(struct kfd_ipc_export *a);
int memory_ipc_import(struct kfd_ipc_import *a);

/* The same block by the render node's names for it. A GEM handle is KFD's handle. */
int memory_gem_of_fd(int fd, uint32_t *ret_handle);
int memory_gem_offset(uint64_t handle, uint64_t *ret_offset);
int memory_gem_size(uint64_t handle, uint64_t *ret_size);
int memory_gem_metadata(struct drm_gem_metadata *a);
int memory_gem_map(const struct gpu *gpu, const struct drm_gem_va *a);

/* Where mmap() of a device really has to look: a block that was exported has a file of its own. */
void memory_redirect(int *fd, off_t *offset);
