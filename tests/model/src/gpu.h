/*
 * gpu.h - the GPUs of this machine, read from the topology that the runtime reads, too
 *
 * /sys is made by whoever runs the model; what it states (gpu_id, gfx version, VRAM, render minor)
 * is what the ioctls then answer, so the two cannot disagree unless a fault says so.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define MOST_GPUS 64 /* as many as a set of them has bits */
#define NO_NODE   UINT32_MAX

struct gpu {
	uint32_t id;       /* of KFD; 0: KFD has left it out, and it is there for DRM alone */
	unsigned node;     /* in the topology, or NO_NODE */
	unsigned minor;    /* of its render node: 128 and up */
	unsigned gfx;      /* 110000 is gfx1100 */
	unsigned revision; /* of its PCI function: with device_id, what libdrm names it by */
	unsigned device_id, simds, arrays, arrays_per_engine, cus_per_array, simds_per_cu,
		wave_front;
	unsigned engine_mhz, memory_mhz, memory_bits;
	bool is_apu;
	uint64_t vram, used, gtt; /* bytes */
};

void gpu_read_all(void);
unsigned gpu_count(void);

/* The nth GPU, in the order of the topology. */
struct gpu *gpu_at(unsigned index);

/* NULL if there is none. */
struct gpu *gpu_of_id(uint32_t id);

/* In a set of GPUs: bit n for the nth. */
uint64_t gpu_bit(const struct gpu *gpu);
