#include "queue.h"

#include "dispatch.h"
#include "event.h"
#include "log.h"
#include "plan.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#define MOST_QUEUES 256

static struct queue queues[MOST_QUEUES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool has_thread;
static atomic_uint wanted; /* by how many that are not the thread */

/* The thread hardly ever lets go while code runs, so it is asked to. */
static void take_lock(void)
{
	wanted++;
	pthread_mutex_lock(&lock);
	wanted--;
}

uint64_t queue_ticks(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return ((uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec) / 10;
}

static void stop_all_of(const struct gpu *gpu)
{
	for (unsigned i = 0; i < MOST_QUEUES; i++)
		if (queues[i].gpu == gpu)
			queues[i].is_stopped = true;
}

bool queue_may_go_on(struct queue *q, const char *engine, const char *kind, bool *ret_garbled)
{
	struct plan_fault fault = plan_meet(engine, kind, q->gpu->node);

	*ret_garbled = fault.verb == PLAN_GARBLE;
	switch (fault.verb) {
	case PLAN_NOTHING:
	case PLAN_GARBLE:
		return true;
	case PLAN_LATE:
		plan_suffer(fault);
		return true;
	case PLAN_LOSE:
		plan_suffer(fault);
		stop_all_of(q->gpu);
		return false;
	case PLAN_RESET:
		stop_all_of(q->gpu);
		event_gpu_reset(q->gpu);
		return false;
	case PLAN_FAULT:
		event_memory_fault(q->gpu, (enum plan_memory_fault)fault.argument, 0x7f0000001000);
		q->is_stopped = true;
		return false;
	default:
		q->is_stopped = true;
		return false;
	}
}

static bool step(struct queue *q)
{
	if (!q->gpu || q->is_stopped || plan_is_lost(q->gpu->node))
		return false;
	switch (q->type) {
	case QUEUE_AQL:
		return aql_step(q);
	case QUEUE_PM4:
		return false; /* AMD's runtime has none of its own */
	default:
		return sdma_step(q);
	}
}

/* Sleeps the longer the longer nothing is there, up to half a millisecond. */
static void *carry_out(void *unused)
{
	long idle = 0;

	for (;;) {
		bool busy = false;

		pthread_mutex_lock(&lock);
		for (unsigned i = 0; i < MOST_QUEUES; i++)
			busy |= step(&queues[i]);
		pthread_mutex_unlock(&lock);
		while (wanted)
			nanosleep(&(struct timespec){ 0, 20000 }, NULL);
		idle = busy ? 0 : idle + 1;
		if (idle > 50)
			nanosleep(&(struct timespec){ 0, idle < 500 ? idle * 1000 : 500000 }, NULL);
	}
	return unused;
}

static int start_thread(void)
{
	pthread_t thread;
	int error = has_thread ? 0 : pthread_create(&thread, NULL, carry_out, NULL);

	has_thread |= !error;
	return error;
}

static void fill(struct queue *q, const struct kfd_create_queue *a, struct gpu *g)
{
	*q = (struct queue){
		.gpu = g,
		.type = a->type,
		.ring_size = a->ring_size,
		.save_area = a->save_area,
		.ring = (uint8_t *)(uintptr_t)a->ring_base,       /* NOLINT: addresses by the ABI */
		.read = (uint64_t *)(uintptr_t)a->read_pointer,   /* NOLINT */
		.write = (uint64_t *)(uintptr_t)a->write_pointer, /* NOLINT */
	};
}

int queue_create(struct kfd_create_queue *a)
{
	struct gpu *g = gpu_of_id(a->gpu_id);
	unsigned id = 0;
	int error = ENOMEM;

	if (!g || !a->ring_base || a->ring_size < 64)
		return EINVAL;
	take_lock();
	while (id < MOST_QUEUES && queues[id].gpu)
		id++;
	if (id < MOST_QUEUES)
		error = start_thread();
	if (!error) {
		fill(&queues[id], a, g);
		a->queue_id = id;
		a->doorbell_offset = id * 8; /* in the GPU's window of /dev/kfd */
		log_line("queue %u: type %u, ring of %u", id, a->type, a->ring_size);
	}
	pthread_mutex_unlock(&lock);
	return error;
}

int queue_destroy(uint32_t id)
{
	bool is_known;

	take_lock();
	is_known = id < MOST_QUEUES && queues[id].gpu;
	if (is_known) {
		queues[id].gpu = NULL;
		dispatch_end(queues[id].run);
		queues[id].run = NULL;
	}
	pthread_mutex_unlock(&lock);
	return is_known ? 0 : EINVAL;
}
