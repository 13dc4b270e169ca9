/*
 * dispatch.h - the code of a dispatch, run group by group
 *
 * The groups of a grid run one after another, the waves of a group in turns, a piece at a time: other
 * queues go on meanwhile, and a queue can be destroyed whose code never ends. A group that waits for
 * another one waits for ever.
 */
#pragma once

#include "gpu.h"

#include <stdbool.h>
#include <stdint.h>

/* hsa_kernel_dispatch_packet_t */
struct dispatch {
	uint16_t header, setup, group[3], pad;
	uint32_t grid[3], private_bytes, group_bytes;
	uint64_t object, arguments, pad2, signal;
};

enum dispatch_state {
	DISPATCH_GOES_ON,
	DISPATCH_DONE,
	DISPATCH_ILLEGAL, /* an instruction that the model does not have; the log names it */
	DISPATCH_FAULT,   /* memory that is not there */
};

struct run;

/* The packet is copied. NULL if there is no memory. */
struct run *dispatch_begin(const struct gpu *gpu, const struct dispatch *packet,
			   uint64_t packet_address, uint64_t queue_address);

/* A piece of it. The address is that of a fault. */
enum dispatch_state dispatch_go_on(struct run *run, uint64_t *ret_address);

/* NULL is accepted. */
void dispatch_end(struct run *run);
