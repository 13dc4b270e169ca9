/*
 * abi.h - the ioctls of amdkfd and of amdgpu's render nodes, as far as AMD's runtime uses them
 *
 * Stated from the kernel's interface headers, so that the model needs no header of a vendor or of
 * libdrm: linux/kfd_ioctl.h 1.17 (ROCm/ROCR-Runtime c7785a6d, libhsakmt/include/hsakmt/linux) and
 * drm/amdgpu_drm.h 3.61. Names of fields follow the kernel's where a reader would look for them.
 * check-abi.c holds sizes and offsets against the header of the machine that builds.
 */
#pragma once

#include <stdint.h>

#define KFD_TYPE 'K'
#define DRM_TYPE 'd'

/* ---- amdkfd ---- */

enum kfd_number {
	KFD_GET_VERSION = 0x01,
	KFD_CREATE_QUEUE,
	KFD_DESTROY_QUEUE,
	KFD_SET_MEMORY_POLICY,
	KFD_GET_CLOCKS,
	KFD_UPDATE_QUEUE = 0x07,
	KFD_CREATE_EVENT,
	KFD_DESTROY_EVENT,
	KFD_SET_EVENT,
	KFD_RESET_EVENT,
	KFD_WAIT_EVENTS,
	KFD_SET_SCRATCH = 0x11,
	KFD_GET_TILES,
	KFD_SET_TRAP_HANDLER,
	KFD_GET_APERTURES,
	KFD_ACQUIRE_VM,
	KFD_ALLOC_MEMORY,
	KFD_FREE_MEMORY,
	KFD_MAP_MEMORY,
	KFD_UNMAP_MEMORY,
	KFD_SET_CU_MASK,
	KFD_GET_DMABUF = 0x1c,
	KFD_IMPORT_DMABUF,
	KFD_ALLOC_GWS,
	KFD_SMI_EVENTS,
	KFD_SVM,
	KFD_SET_XNACK,
	KFD_GET_AVAILABLE = 0x23,
	KFD_EXPORT_DMABUF,
	KFD_ENABLE_RUNTIME,
	KFD_IPC_IMPORT = 0x80, /* of AMD's DKMS driver alone, like the next */
	KFD_IPC_EXPORT,
	KFD_NUMBERS,
};

struct kfd_version {
	uint32_t major, minor;
};

enum kfd_queue_type { QUEUE_PM4, QUEUE_SDMA, QUEUE_AQL, QUEUE_SDMA_XGMI, QUEUE_SDMA_BY_ENGINE };

struct kfd_create_queue {
	uint64_t ring_base, write_pointer, read_pointer, doorbell_offset;
	uint32_t ring_size, gpu_id, type, percentage, priority, queue_id;
	uint64_t eop_base, eop_size, save_area;
	uint32_t save_area_size, control_stack_size;
};

/* At the beginning of the save area: where a queue's errors are told (since 1.13). */
struct kfd_save_area {
	uint32_t layout[6];
	uint64_t error_bits; /* the address of 64 of them */
	uint32_t error_event, pad;
};

enum kfd_queue_error { WAVE_ILLEGAL_INSTRUCTION = 4 }; /* bit 3, they count from 1 */

struct kfd_queue_id {
	uint32_t queue_id, pad;
};

struct kfd_clocks {
	uint64_t gpu, cpu, system, system_frequency;
	uint32_t gpu_id, pad;
};

enum kfd_event_type { EVENT_SIGNAL = 0, EVENT_HW_EXCEPTION = 3, EVENT_MEMORY = 8 };

struct kfd_create_event {
	uint64_t page_offset;
	uint32_t trigger_data, type, auto_reset, node_id, event_id, slot_index;
};

struct kfd_event_id {
	uint32_t event_id, pad;
};

struct kfd_memory_exception {
	uint32_t not_present, read_only, no_execute, imprecise;
	uint64_t address;
	uint32_t gpu_id, error_type;
};

struct kfd_hw_exception {
	uint32_t reset_type, reset_cause, memory_lost, gpu_id;
};

/* One of the array that wait-events is given; the age, since 1.14, goes in and comes out. */
struct kfd_event_state {
	union {
		struct kfd_memory_exception memory;
		struct kfd_hw_exception hardware;
		uint64_t age;
	};
	uint64_t extension;
	uint32_t event_id, pad;
};

enum kfd_wait_result { WAIT_COMPLETE, WAIT_TIMEOUT };
#define KFD_FOREVER UINT32_MAX

struct kfd_wait_events {
	uint64_t events;
	uint32_t count, wait_for_all, milliseconds, result;
};

struct kfd_tiles {
	uint64_t tiles, macro_tiles;
	uint32_t tile_count, macro_tile_count, gpu_id, address_config, banks, ranks;
};

struct kfd_aperture {
	uint64_t lds_base, lds_limit, scratch_base, scratch_limit, gpuvm_base, gpuvm_limit;
	uint32_t gpu_id, pad;
};

struct kfd_apertures {
	uint64_t apertures;
	uint32_t count, pad;
};

struct kfd_acquire_vm {
	uint32_t drm_fd, gpu_id;
};

enum kfd_memory_flag {
	MEMORY_VRAM = 1 << 0,
	MEMORY_GTT = 1 << 1,
	MEMORY_USERPTR = 1 << 2,
	MEMORY_DOORBELL = 1 << 3,
	MEMORY_MMIO = 1 << 4,
};

struct kfd_alloc_memory {
	uint64_t address, size, handle, mmap_offset;
	uint32_t gpu_id, flags;
};

struct kfd_free_memory {
	uint64_t handle;
};

struct kfd_map_memory {
	uint64_t handle, device_ids;
	uint32_t devices, done;
};

struct kfd_get_dmabuf {
	uint64_t size, metadata;
	uint32_t metadata_size, gpu_id, flags, fd;
};

struct kfd_import_dmabuf {
	uint64_t address, handle;
	uint32_t gpu_id, fd;
};

struct kfd_export_dmabuf {
	uint64_t handle;
	uint32_t flags, fd;
};

struct kfd_ipc_import {
	uint64_t handle, address, mmap_offset;
	uint32_t share[4], gpu_id, flags;
};

struct kfd_ipc_export {
	uint64_t handle;
	uint32_t share[4], gpu_id, flags;
};

enum kfd_svm_operation { SVM_SET, SVM_GET };
enum kfd_svm_attribute {
	SVM_PREFERRED,
	SVM_PREFETCH,
	SVM_ACCESS,
	SVM_ACCESS_IN_PLACE,
	SVM_NO_ACCESS,
	SVM_SET_FLAGS,
	SVM_CLEAR_FLAGS,
	SVM_GRANULARITY,
};
#define SVM_NOWHERE UINT32_MAX /* of PREFERRED and PREFETCH */

struct kfd_svm {
	uint64_t address, size;
	uint32_t operation, count;
	struct {
		uint32_t type, value;
	} attributes[];
};

struct kfd_xnack {
	int32_t enabled;
};

struct kfd_available {
	uint64_t bytes;
	uint32_t gpu_id, pad;
};

/* ---- amdgpu's render node ---- */

enum drm_number {
	DRM_VERSION = 0x00,
	DRM_GEM_CLOSE = 0x09,
	DRM_PRIME_HANDLE_TO_FD = 0x2d,
	DRM_PRIME_FD_TO_HANDLE = 0x2e,
	DRM_DRIVER = 0x40, /* those of amdgpu itself begin here */
	DRM_GEM_MMAP = DRM_DRIVER + 0x01,
	DRM_INFO = DRM_DRIVER + 0x05,
	DRM_GEM_METADATA = DRM_DRIVER + 0x06,
	DRM_GEM_VA = DRM_DRIVER + 0x08,
	DRM_GEM_OP = DRM_DRIVER + 0x10,
};

struct drm_version {
	int32_t major, minor, patch;
	uint64_t name_length, name, date_length, date, description_length, description;
};

struct drm_gem_close {
	uint32_t handle, pad;
};

struct drm_prime {
	uint32_t handle, flags;
	int32_t fd;
};

/* A union in the kernel: the handle goes in, the offset comes out. */
struct drm_gem_mmap {
	uint64_t handle_or_offset;
};

enum drm_metadata_operation { METADATA_SET = 1, METADATA_GET };

struct drm_gem_metadata {
	uint32_t handle, operation;
	struct {
		uint64_t flags, tiling;
		uint32_t size, bytes[64];
	} data;
};

enum drm_va_operation { VA_MAP = 1, VA_UNMAP, VA_CLEAR, VA_REPLACE };

struct drm_gem_va {
	uint32_t handle, pad, operation, flags;
	uint64_t address, offset, size;
};

enum drm_gem_operation { GEM_GET_CREATE_INFO, GEM_SET_PLACEMENT };

struct drm_gem_op {
	uint32_t handle, operation;
	uint64_t value;
};

struct drm_gem_create_info {
	uint64_t size, alignment, domains, flags;
};

enum { IDS_FUSION = 1 }; /* of ids_flags: an APU */

enum drm_query { INFO_ACCEL_WORKING = 0x00, INFO_DEVICE = 0x16, INFO_MEMORY = 0x19 };

struct drm_info {
	uint64_t answer;
	uint32_t answer_size, query, arguments[4];
};

/* Only the beginning: what follows is zero, which libdrm takes. */
struct drm_device {
	uint32_t device_id, chip_rev, external_rev, pci_rev, family;
	uint32_t shader_engines, arrays_per_engine, counter_khz;
	uint64_t max_engine_khz, max_memory_khz;
	uint32_t cu_active, cu_ao_mask, cu_bitmap[4][4];
	uint32_t rb_mask, rb_pipes, contexts, pad;
	uint64_t ids_flags, va_offset, va_max;
	uint32_t va_alignment, pte_fragment, gart_page, ce_ram;
	uint32_t vram_type, vram_bits, vce_harvest, gc_double_offchip;
	uint64_t prim_buffer, pos_buffer, sideband_buffer, parameter_buffer;
	uint32_t prim_size, pos_size, sideband_size, parameter_size;
	uint32_t wave_front, shader_visible_vgprs, cus_per_array;
};

struct drm_heap {
	uint64_t total, usable, used, largest;
};

struct drm_memory {
	struct drm_heap vram, visible, gtt;
};
