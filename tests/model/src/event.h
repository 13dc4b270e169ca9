/*
 * event.h - KFD's events: what interrupts of the GPU become, and the wait for them
 */
#pragma once

#include "abi.h"
#include "gpu.h"
#include "plan.h"

/* Each gives 0 or an errno. */
int event_create(struct kfd_create_event *a);
int event_destroy(uint32_t id);
int event_set(uint32_t id);
int event_reset(uint32_t id);
int event_wait(struct kfd_wait_events *a);

/* All events of the process that are about exceptions of this kind. */
void event_memory_fault(const struct gpu *gpu, enum plan_memory_fault fault, uint64_t address);
void event_gpu_reset(const struct gpu *gpu);
