/*
 * aql.c - packets of the Architected Queuing Language (HSA Platform System Architecture 1.2, 2.9)
 *
 * A packet has 64 bytes: its type in the lowest byte of a 16-bit header, its completion signal in the
 * last eight. A dispatch is run (dispatch.c); what cannot be, ends as an error of its queue.
 */
#include "dispatch.h"
#include "event.h"
#include "log.h"
#include "queue.h"

#include <stdatomic.h>
#include <stddef.h>

#define PACKET_SIZE 64

enum packet_type { VENDOR, INVALID, DISPATCH, BARRIER_AND, AGENT_DISPATCH, BARRIER_OR, TYPES };

static const char *const names[TYPES] = { "vendor",         "",          "dispatch", "barrier-and",
					  "agent-dispatch", "barrier-or" };

/* amd_signal_t of ROCr's amd_hsa_signal.h: an event that is to be set stands behind a mailbox. */
struct signal {
	int64_t kind;
	_Atomic int64_t value;
	uint64_t mailbox;
	uint32_t event_id, pad;
	uint64_t start, end;
};

struct barrier {
	uint16_t header, pad[3];
	uint64_t signals[5], pad2, signal;
};

/* hsa_amd_barrier_value_packet_t: vendor packet of format 2. */
struct barrier_value {
	uint16_t header;
	uint8_t format, pad, pad2[4];
	uint64_t signal;
	int64_t value, mask;
	uint32_t condition;
};

enum { FORMAT_BARRIER_VALUE = 2 };
enum condition { EQUAL, NOT_EQUAL, LESS, GREATER_OR_EQUAL };

static struct signal *signal_at(uint64_t address)
{
	return (struct signal *)(uintptr_t)
		address; /* NOLINT: an address of the process, by the ABI */
}

static void complete(uint64_t address, uint64_t start)
{
	struct signal *s = signal_at(address);

	if (!s)
		return;
	s->start = start;
	s->end = queue_ticks();
	atomic_fetch_sub(&s->value, 1);
	if (s->mailbox) {
		*(volatile uint64_t *)(uintptr_t)s->mailbox = s->event_id; /* NOLINT */
		event_set(s->event_id);
	}
}

/* A signal of 0 is no condition. */
static bool barrier_holds(const struct barrier *b, bool wants_all)
{
	unsigned given = 0, met = 0;

	for (unsigned i = 0; i < 5; i++) {
		const struct signal *s = signal_at(b->signals[i]);

		given += s != NULL;
		met += s && s->value == 0;
	}
	return wants_all ? met == given : given == 0 || met > 0;
}

/* Without a signal it orders memory alone: HIP ends its work on gfx90a and gfx942 by such. */
static bool value_holds(const struct barrier_value *b)
{
	const struct signal *s = signal_at(b->signal);
	int64_t now = s ? s->value & b->mask : 0;

	if (!s)
		return true;
	switch (b->condition) {
	case EQUAL:
		return now == b->value;
	case NOT_EQUAL:
		return now != b->value;
	case LESS:
		return now < b->value;
	default:
		return now >= b->value;
	}
}

static bool is_ready(const uint8_t *packet, enum packet_type type)
{
	const struct barrier_value *vendor = (const void *)packet;

	switch (type) {
	case BARRIER_AND:
	case BARRIER_OR:
		return barrier_holds((const void *)packet, type == BARRIER_AND);
	case VENDOR:
		return vendor->format != FORMAT_BARRIER_VALUE || value_holds(vendor);
	default:
		return true;
	}
}

/*
 * As KFD tells what a trap handler found: a bit of the queue's errors, and the event of its queue.
 * A runtime that does not listen waits for ever, as with a real GPU that hangs.
 */
static void tell_error(const struct queue *q, enum kfd_queue_error error)
{
	const struct kfd_save_area *area =
		(const void *)(uintptr_t)q->save_area; /* NOLINT: by the ABI */

	if (!area || !area->error_bits)
		return;
	*(volatile uint64_t *)(uintptr_t)area->error_bits |= 1ull << (error - 1); /* NOLINT */
	event_set(area->error_event);
}

/* The queue's own structure is amd_queue_t; its write index lies 56 bytes behind the beginning. */
static struct run *begin(const struct queue *q, const uint8_t *packet)
{
	return dispatch_begin(q->gpu, (const void *)packet, (uintptr_t)packet,
			      (uintptr_t)q->write - 56);
}

/* Only what gfx11 executes is known; of another GPU a dispatch completes and computes nothing. */
static bool is_known_code(const struct gpu *g)
{
	if (g->gfx / 10000 == 11)
		return true;
	log_line("dispatch: not computed, the model runs no code of gfx version %u", g->gfx);
	return false;
}

/* True if the packet is done with. */
static bool run(struct queue *q, const uint8_t *packet)
{
	uint64_t address = 0;
	enum dispatch_state state;

	if (!is_known_code(q->gpu))
		return true;
	if (!q->run)
		q->run = begin(q, packet);
	state = q->run ? dispatch_go_on(q->run, &address) : DISPATCH_ILLEGAL;
	if (state == DISPATCH_GOES_ON)
		return false;
	dispatch_end(q->run);
	q->run = NULL;
	q->is_stopped = state != DISPATCH_DONE;
	if (state == DISPATCH_FAULT)
		event_memory_fault(q->gpu, FAULT_NOT_PRESENT, address & ~4095ull);
	if (state == DISPATCH_ILLEGAL)
		tell_error(q, WAVE_ILLEGAL_INSTRUCTION);
	return state == DISPATCH_DONE;
}

/* The header is INVALID again before the read pointer moves: the runtime may fill the slot at once. */
static void take_off(struct queue *q, uint8_t *packet)
{
	uint64_t signal = ((const struct barrier *)(const void *)packet)->signal;
	uint64_t start = queue_ticks();

	*(volatile uint16_t *)(void *)packet = INVALID;
	atomic_thread_fence(memory_order_seq_cst);
	*q->read = *q->read + 1;
	complete(signal, start);
}

/* A fault of the plan is met when the packet begins. */
bool aql_step(struct queue *q)
{
	uint64_t index = *q->read;
	uint8_t *packet = q->ring + index % (q->ring_size / PACKET_SIZE) * PACKET_SIZE;
	uint16_t type = *(volatile uint16_t *)(void *)packet & 255;
	bool garbled;

	if (index >= *q->write || type == INVALID || type >= TYPES || !is_ready(packet, type))
		return false;
	if (!q->run && !queue_may_go_on(q, "aql", names[type], &garbled))
		return false;
	if (type == DISPATCH && !run(q, packet))
		return !q->is_stopped;
	take_off(q, packet);
	return true;
}
