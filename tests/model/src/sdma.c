/*
 * sdma.c - packets of the copy engine, as ROCr writes them (SDMA 4 to 7: gfx9 to gfx12)
 *
 * Operation and sub-operation are the lowest bytes of the first word. A packet that is not known stops
 * the queue, for its length is not known either, and the log names it.
 */
#include "event.h"
#include "log.h"
#include "queue.h"
#include "reach.h"

#include <stdatomic.h>
#include <string.h>

enum operation {
	NOP = 0,
	COPY = 1,
	FENCE = 5,
	TRAP = 6,
	POLL = 8,
	ATOMIC = 10,
	FILL = 11,
	TIMESTAMP = 13,
	CACHE = 17,
};

enum { COPY_LINEAR = 0, MOST_WORDS = 16 };

/* A packet whose condition does not hold yet, and one that cannot be carried out. */
enum { NOT_YET = 0, UNKNOWN = -1 };

static void *pointer(const uint32_t *low)
{
	return (void *)(uintptr_t)(low[0] | (uint64_t)low[1]
						    << 32); /* NOLINT: an address by the ABI */
}

static void *reach(struct queue *q, const uint32_t *low, uint32_t size)
{
	uint64_t address = low[0] | (uint64_t)low[1] << 32;

	if (reach_holds(q->gpu, address, size))
		return pointer(low);
	log_line("gpu %u does not reach %#llx + %#x", q->gpu->id, (unsigned long long)address,
		 size);
	event_memory_fault(q->gpu, FAULT_NOT_PRESENT, address & ~4095ull);
	q->is_stopped = true;
	return NULL;
}

/* 30 bits of length since SDMA 5.2; the 22 bits of older engines have zeroes above them. */
static bool copy(struct queue *q, const uint32_t *w, bool garbled)
{
	uint32_t size = (w[1] & 0x3fffffff) + 1;
	const void *from = reach(q, w + 3, size);
	uint8_t *to = from ? reach(q, w + 5, size) : NULL;

	if (!to)
		return false;
	log_line("gpu %u: copy of %u", q->gpu->id, size);
	memmove(to, from, size);
	if (garbled)
		to[size / 2]++;
	return true;
}

static bool fill(struct queue *q, const uint32_t *w)
{
	uint32_t size = (w[4] & 0x3fffff) + 1;
	uint32_t *to = reach(q, w + 1, size);

	for (uint32_t i = 0; to && i <= (size - 1) / 4; i++)
		to[i] = w[3];
	return to;
}

/* A poll of a register flushes the host's path, which is always flushed here; one of memory waits. */
static bool poll_holds(const uint32_t *w)
{
	uint32_t function = w[0] >> 28 & 7, value;

	if (!(w[0] >> 31))
		return true;
	value = *(volatile uint32_t *)pointer(w + 1) & w[4];
	switch (function) {
	case 0:
		return true;
	case 3:
		return value == w[3];
	case 4:
		return value != w[3];
	case 5:
		return value >= w[3];
	default:
		return value < w[3];
	}
}

/* How many words the packet has, NOT_YET or UNKNOWN. */
static int length_of(const uint32_t *w)
{
	switch (w[0] & 255) {
	case NOP:
		return 1 + (int)(w[0] >> 16 & 0x3fff);
	case COPY:
		return (w[0] >> 8 & 255) == COPY_LINEAR ? 7 : UNKNOWN;
	case FENCE:
		return 4;
	case TRAP:
		return 2;
	case POLL:
		return poll_holds(w) ? 6 : NOT_YET;
	case ATOMIC:
		return 8;
	case FILL:
	case CACHE:
		return 5;
	case TIMESTAMP:
		return 3;
	default:
		return UNKNOWN;
	}
}

static const char *name_of(const uint32_t *w)
{
	switch (w[0] & 255) {
	case COPY:
		return "copy";
	case FILL:
		return "fill";
	case FENCE:
		return "fence";
	case TRAP:
		return "trap";
	default:
		return "other";
	}
}

/* False if the GPU does not reach what the packet names: a memory fault, and the queue stands still.
 * ATOMIC is always an addition of 64 bits here: ROCr decrements signals with it, and does nothing else. */
static bool carry_out(struct queue *q, const uint32_t *w, bool garbled)
{
	switch (w[0] & 255) {
	case COPY:
		return copy(q, w, garbled);
	case FENCE:
		*(volatile uint32_t *)pointer(w + 1) = w[3];
		break;
	case TRAP:
		event_set(w[1] & 0xfffffff);
		break;
	case ATOMIC:
		atomic_fetch_add((_Atomic int64_t *)pointer(w + 1),
				 (int64_t)(w[3] | (uint64_t)w[4] << 32));
		break;
	case FILL:
		return fill(q, w);
	case TIMESTAMP:
		*(uint64_t *)pointer(w + 1) = queue_ticks();
		break;
	default:
		break;
	}
	return true;
}

bool sdma_step(struct queue *q)
{
	uint32_t w[MOST_WORDS];
	int words;
	bool garbled;

	if (q->done >= *q->write)
		return false;
	for (unsigned i = 0; i < MOST_WORDS; i++)
		memcpy(&w[i], q->ring + (q->done + i * 4ull) % q->ring_size, 4);
	words = length_of(w);
	if (words == UNKNOWN) {
		log_line("sdma packet %#x is not known: the queue stops", w[0]);
		q->is_stopped = true;
	}
	if (words <= 0 || !queue_may_go_on(q, "sdma", name_of(w), &garbled))
		return false;
	if (!carry_out(q, w, garbled))
		return false;
	q->done += (uint64_t)words * 4;
	*q->read = q->done;
	return true;
}
