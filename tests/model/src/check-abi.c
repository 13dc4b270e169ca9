/*
 * check-abi.c - abi.h against the kernel's header of the machine that builds
 *
 * Compiled and never called. linux/kfd_ioctl.h of Debian 12 is of version 1.11: what came later (the age
 * of an event, dma-bufs that are exported) is not held against anything here.
 */
#include "abi.h"

#include <stddef.h>

#if __has_include(<linux/kfd_ioctl.h>)
#include <linux/kfd_ioctl.h>

#define SAME(ours, theirs) \
	_Static_assert(sizeof(struct ours) == sizeof(struct theirs), "size of " #ours)
#define AT(ours, field, theirs, its)                                                 \
	_Static_assert(offsetof(struct ours, field) == offsetof(struct theirs, its), \
		       #ours "." #field)
#define NUMBER(ours, theirs) _Static_assert((ours) == _IOC_NR(theirs), #ours)

SAME(kfd_version, kfd_ioctl_get_version_args);
SAME(kfd_create_queue, kfd_ioctl_create_queue_args);
AT(kfd_create_queue, read_pointer, kfd_ioctl_create_queue_args, read_pointer_address);
AT(kfd_create_queue, type, kfd_ioctl_create_queue_args, queue_type);
AT(kfd_create_queue, queue_id, kfd_ioctl_create_queue_args, queue_id);
SAME(kfd_queue_id, kfd_ioctl_destroy_queue_args);
SAME(kfd_clocks, kfd_ioctl_get_clock_counters_args);
SAME(kfd_create_event, kfd_ioctl_create_event_args);
AT(kfd_create_event, event_id, kfd_ioctl_create_event_args, event_id);
SAME(kfd_event_id, kfd_ioctl_set_event_args);
SAME(kfd_memory_exception, kfd_hsa_memory_exception_data);
SAME(kfd_hw_exception, kfd_hsa_hw_exception_data);
SAME(kfd_event_state, kfd_event_data);
AT(kfd_event_state, event_id, kfd_event_data, event_id);
SAME(kfd_wait_events, kfd_ioctl_wait_events_args);
AT(kfd_wait_events, result, kfd_ioctl_wait_events_args, wait_result);
SAME(kfd_tiles, kfd_ioctl_get_tile_config_args);
AT(kfd_tiles, address_config, kfd_ioctl_get_tile_config_args, gb_addr_config);
SAME(kfd_aperture, kfd_process_device_apertures);
SAME(kfd_apertures, kfd_ioctl_get_process_apertures_new_args);
SAME(kfd_acquire_vm, kfd_ioctl_acquire_vm_args);
SAME(kfd_alloc_memory, kfd_ioctl_alloc_memory_of_gpu_args);
AT(kfd_alloc_memory, flags, kfd_ioctl_alloc_memory_of_gpu_args, flags);
SAME(kfd_free_memory, kfd_ioctl_free_memory_of_gpu_args);
SAME(kfd_map_memory, kfd_ioctl_map_memory_to_gpu_args);
AT(kfd_map_memory, done, kfd_ioctl_map_memory_to_gpu_args, n_success);
SAME(kfd_get_dmabuf, kfd_ioctl_get_dmabuf_info_args);
SAME(kfd_import_dmabuf, kfd_ioctl_import_dmabuf_args);
SAME(kfd_svm, kfd_ioctl_svm_args);
AT(kfd_svm, attributes, kfd_ioctl_svm_args, attrs);
SAME(kfd_xnack, kfd_ioctl_set_xnack_mode_args);
SAME(kfd_available, kfd_ioctl_get_available_memory_args);

NUMBER(KFD_CREATE_QUEUE, AMDKFD_IOC_CREATE_QUEUE);
NUMBER(KFD_WAIT_EVENTS, AMDKFD_IOC_WAIT_EVENTS);
NUMBER(KFD_GET_APERTURES, AMDKFD_IOC_GET_PROCESS_APERTURES_NEW);
NUMBER(KFD_ACQUIRE_VM, AMDKFD_IOC_ACQUIRE_VM);
NUMBER(KFD_UNMAP_MEMORY, AMDKFD_IOC_UNMAP_MEMORY_FROM_GPU);
NUMBER(KFD_SET_CU_MASK, AMDKFD_IOC_SET_CU_MASK);
NUMBER(KFD_IMPORT_DMABUF, AMDKFD_IOC_IMPORT_DMABUF);
NUMBER(KFD_SVM, AMDKFD_IOC_SVM);
NUMBER(KFD_GET_AVAILABLE, AMDKFD_IOC_AVAILABLE_MEMORY);
#endif
