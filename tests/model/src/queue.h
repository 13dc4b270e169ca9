/*
 * queue.h - the queues of the process, and the thread that carries their packets out
 *
 * Doorbells are not looked at: the thread reads the write pointers, which the runtime moves before it
 * rings. A step is one packet, or a piece of a dispatch; it is done under the lock that destroying a queue takes, so the ring is
 * there as long as it is read.
 */
#pragma once

#include "abi.h"
#include "gpu.h"

#include <stdbool.h>
#include <stdint.h>

struct queue {
	struct gpu *gpu; /* NULL: unused */
	uint32_t type, ring_size;
	uint8_t *ring;
	volatile uint64_t *read, *write; /* of AQL packets; of SDMA bytes */
	uint64_t done;                   /* bytes that SDMA has carried out */
	uint64_t save_area;              /* struct kfd_save_area */
	struct run *run;                 /* the dispatch that runs */
	bool is_stopped;
};

/* Each gives 0 or an errno. */
int queue_create(struct kfd_create_queue *a);
int queue_destroy(uint32_t id);

/* For the engines. Ticks of the GPU's clock, 100 MHz. */
uint64_t queue_ticks(void);

/* False if a fault of the plan keeps this packet from being carried out, now or for ever. */
bool queue_may_go_on(struct queue *q, const char *engine, const char *kind, bool *ret_garbled);

/* aql.c and sdma.c: one packet. True if there was one to carry out. */
bool aql_step(struct queue *q);
bool sdma_step(struct queue *q);
