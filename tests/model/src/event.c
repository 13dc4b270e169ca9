#include "event.h"

#include "log.h"

#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST_EVENTS 4096 /* KFD_SIGNAL_EVENT_LIMIT */

/* The page of slots, in bit 63 and 62 of the offset: KFD_MMAP_TYPE_EVENTS of the kernel's kfd_priv.h. */
#define EVENTS_OFFSET (2ull << 62)

struct event {
	bool is_used, is_set, resets_itself;
	uint32_t type;
	uint64_t age; /* counts the times that it was set; begins with 1 */
	struct kfd_event_state data;
};

static struct event events[MOST_EVENTS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void prepare(void)
{
	pthread_condattr_t a;

	pthread_condattr_init(&a);
	pthread_condattr_setclock(&a, CLOCK_MONOTONIC);
	pthread_cond_init(&changed, &a);
}

int event_create(struct kfd_create_event *a)
{
	uint32_t id = 1;

	pthread_once(&once, prepare);
	pthread_mutex_lock(&lock);
	while (id < MOST_EVENTS && events[id].is_used)
		id++;
	if (id < MOST_EVENTS) {
		events[id] = (struct event){
			.is_used = true, .resets_itself = a->auto_reset, .type = a->type, .age = 1
		};
		if (a->type == EVENT_SIGNAL)
			a->page_offset = EVENTS_OFFSET;
		a->event_id = a->slot_index = a->trigger_data = id;
	}
	pthread_mutex_unlock(&lock);
	return id < MOST_EVENTS ? 0 : ENOSPC;
}

static struct event *find(uint32_t id)
{
	return id < MOST_EVENTS && events[id].is_used ? &events[id] : NULL;
}

static int change(uint32_t id, void (*how)(struct event *))
{
	struct event *e;

	pthread_mutex_lock(&lock);
	e = find(id);
	if (e) {
		how(e);
		pthread_cond_broadcast(&changed);
	}
	pthread_mutex_unlock(&lock);
	return e ? 0 : EINVAL;
}

static void set(struct event *e)
{
	e->is_set = true;
	e->age++;
}

static void reset(struct event *e)
{
	e->is_set = false;
}

static void forget(struct event *e)
{
	e->is_used = false;
}

int event_set(uint32_t id)
{
	pthread_once(&once, prepare);
	return change(id, set);
}

int event_reset(uint32_t id)
{
	return change(id, reset);
}

int event_destroy(uint32_t id)
{
	return change(id, forget);
}

/* ---- waiting ---- */

/* The caller's age counts since 1.14; in what an older runtime passes, those bytes are anything. */
static bool is_older(const struct event *e, const struct kfd_event_state *asked)
{
	return plan_settings.abi_minor >= 14 && e->type == EVENT_SIGNAL && asked->age &&
	       asked->age != e->age;
}

/* One signal wakes everybody who waits for it, though the first resets it: so the age at the beginning counts. */
static uint32_t count_ready(const struct kfd_event_state *asked, const uint64_t *ages, uint32_t n)
{
	uint32_t ready = 0;

	for (uint32_t i = 0; i < n; i++) {
		const struct event *e = find(asked[i].event_id);

		ready += e && (e->is_set || e->age != ages[i] || is_older(e, &asked[i]));
	}
	return ready;
}

static struct timespec in_milliseconds(uint32_t n)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	t.tv_nsec += n % 1000 * 1000000L;
	t.tv_sec += n / 1000 + t.tv_nsec / 1000000000L;
	t.tv_nsec %= 1000000000L;
	return t;
}

static bool wait_until_ready(const struct kfd_wait_events *a, const struct kfd_event_state *asked,
			     const uint64_t *ages)
{
	struct timespec until = in_milliseconds(a->milliseconds);
	int timed_out = a->milliseconds == 0;

	for (;;) {
		uint32_t ready = count_ready(asked, ages, a->count);

		if (ready && (!a->wait_for_all || ready == a->count))
			return true;
		if (timed_out)
			return false;
		if (a->milliseconds == KFD_FOREVER)
			pthread_cond_wait(&changed, &lock);
		else
			timed_out = pthread_cond_timedwait(&changed, &lock, &until);
	}
}

static void hand_out(struct kfd_event_state *asked)
{
	struct event *e = find(asked->event_id);

	if (!e)
		return;
	if (e->type == EVENT_SIGNAL && plan_settings.abi_minor >= 14)
		asked->age = e->age;
	else if (e->is_set && (e->type == EVENT_MEMORY || e->type == EVENT_HW_EXCEPTION))
		memcpy(asked, &e->data, offsetof(struct kfd_event_state, extension));
	if (e->resets_itself)
		e->is_set = false;
}

int event_wait(struct kfd_wait_events *a)
{
	struct kfd_event_state *asked =
		(void *)(uintptr_t)a->events; /* NOLINT: an address by the ABI */
	uint64_t *ages = calloc(a->count + 1u, sizeof(*ages));
	bool complete;

	if (!ages)
		return ENOMEM;
	pthread_once(&once, prepare);
	pthread_mutex_lock(&lock);
	for (uint32_t i = 0; i < a->count; i++) {
		const struct event *e = find(asked[i].event_id);

		ages[i] = e ? e->age : 0;
	}
	complete = wait_until_ready(a, asked, ages);
	for (uint32_t i = 0; complete && i < a->count; i++)
		hand_out(&asked[i]);
	pthread_mutex_unlock(&lock);
	free(ages);
	a->result = complete ? WAIT_COMPLETE : WAIT_TIMEOUT;
	return 0;
}

/* ---- exceptions ---- */

static void raise_all(uint32_t type, const struct kfd_event_state *data)
{
	pthread_once(&once, prepare);
	pthread_mutex_lock(&lock);
	for (uint32_t id = 1; id < MOST_EVENTS; id++)
		if (events[id].is_used && events[id].type == type) {
			events[id].data = *data;
			set(&events[id]);
		}
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

void event_memory_fault(const struct gpu *gpu, enum plan_memory_fault fault, uint64_t address)
{
	struct kfd_event_state data = { .memory = {
						.not_present = fault == FAULT_NOT_PRESENT,
						.read_only = fault == FAULT_READ_ONLY,
						.address = address,
						.gpu_id = gpu->id,
						.error_type = fault == FAULT_ECC    ? 1
							      : fault == FAULT_HANG ? 3
										    : 0,
					} };

	log_line("memory fault at %#llx", (unsigned long long)address);
	raise_all(EVENT_MEMORY, &data);
}

/* Kind and cause 0: the whole GPU, for it hung. */
void event_gpu_reset(const struct gpu *gpu)
{
	struct kfd_event_state data = { .hardware = { .memory_lost = 1, .gpu_id = gpu->id } };

	log_line("reset of gpu %u", gpu->id);
	raise_all(EVENT_HW_EXCEPTION, &data);
}
