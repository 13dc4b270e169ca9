/*
 * memory.h - the memory of the fake devices: host memory, counted across processes
 *
 * The count lies in the file `memory` beside the plan, by process: what a process
 * held is free when it is gone, however it went.
 */
#pragma once

#include <stddef.h>

enum memory_kind {
	MEMORY_DEVICE,
	MEMORY_HOST, /* pinned or managed: not counted */
};

/* Bytes that processes hold of a device, beside what its plan says. */
size_t memory_used(int device);

/* NULL if that is more than the device has left. */
void *memory_take(int device, size_t size, enum memory_kind kind);

/* 0, or -1 if it is no memory of ours. */
int memory_give(void *memory);
