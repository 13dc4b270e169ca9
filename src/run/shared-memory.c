#include "run/shared-memory.h"

#include <assert.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/debug.h"

struct shared_memory *shared_new(void)
{
	struct shared_memory *s =
		mmap(NULL, sizeof(*s), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (s == MAP_FAILED)
		return NULL;
	s->watcher_pipe = s->keeper_pipe = -1;
	for (size_t i = 0; i < 2; i++) {
		s->streams[i].ring.bytes = s->memory[i];
		s->streams[i].ring.size = SHARED_RING;
		s->streams[i].flood.bytes = s->memory[i] + SHARED_RING;
		s->streams[i].flood.size = SHARED_FLOOD;
		s->streams[i].ring.at_file = s->streams[i].flood.at_file = -1;
	}
	return s;
}

void shared_free(struct shared_memory *s)
{
	munmap(s, sizeof(*s));
}

char *shared_reserve(struct shared_ring *r, size_t *ret_room)
{
	uint64_t head = atomic_load_explicit(&r->head, memory_order_relaxed);
	size_t at = (size_t)(head % r->size);
	size_t room = r->size - at < SHARED_CHUNK ? r->size - at : SHARED_CHUNK;

	/* A reader that has copied bytes which we are about to replace must learn of it. */
	atomic_store(&r->reserved, head + room);
	atomic_thread_fence(memory_order_seq_cst);
	*ret_room = room;
	return r->bytes + at;
}

void shared_publish(struct shared_memory *s, struct shared_ring *r, size_t n)
{
	uint64_t head = atomic_load_explicit(&r->head, memory_order_relaxed) + n;

	/* No more than shared_reserve() gave. */
	assert(n <= atomic_load(&r->reserved) - atomic_load(&r->head));
	atomic_store(&r->head, head);
	atomic_store_explicit(&r->reserved, head, memory_order_relaxed);
	if (atomic_load(&s->asleep))
		shared_wake_watcher(s);
}

void shared_pour(struct shared_memory *s, struct shared_stream *stream)
{
	struct shared_ring *from = &stream->flood, *to = &stream->ring;
	uint64_t head = atomic_load(&from->head), at = atomic_load(&stream->poured);

	if (head - at > from->size) {
		atomic_fetch_add(&stream->skimmed, head - from->size - at);
		at = head - from->size;
	}
	while (at < head) {
		size_t room, start = (size_t)(at % from->size);
		char *place = shared_reserve(to, &room);
		size_t n = head - at < room ? (size_t)(head - at) : room;

		n = n < from->size - start ? n : from->size - start;
		memcpy(place, from->bytes + start, n);
		atomic_store(&to->passed, atomic_load(&to->head) + n); /* from the flood already */
		shared_publish(s, to, n);
		at += n;
		atomic_store(&stream->poured, at);
	}
}

void shared_wake_watcher(struct shared_memory *s)
{
	/* A full pipe has waking bytes enough; SIGPIPE is ignored. */
	if (atomic_exchange(&s->asleep, false) && s->watcher_pipe >= 0)
		(void)!write(s->watcher_pipe, "", 1);
}

void shared_add_event(struct shared_memory *s, enum shared_event_kind kind, int64_t number)
{
	uint64_t head = atomic_load_explicit(&s->event_head, memory_order_relaxed);

	assert(kind < SHARED_KINDS);
	s->events[head % SHARED_EVENTS] = (struct shared_event){ clock_date_ms(), number, kind };
	atomic_store(&s->event_head, head + 1);
	shared_wake_watcher(s);
	DEBUG(DEBUG_RUN, 0, "event: %s %lld", shared_event_name(kind), (long long)number);
}

/*
 * The number of new bytes in the ring from *at on. A reader that was lapped starts so far from the
 * end that it has time to copy; more than the last megabyte is always there.
 */
static size_t find_new(struct shared_ring *r, uint64_t *at, uint64_t *missed)
{
	uint64_t head = atomic_load(&r->head), kept = r->size - 2 * SHARED_CHUNK;

	if (head - *at > r->size - SHARED_CHUNK) {
		*missed += head - kept - *at;
		*at = head - kept;
	}
	return (size_t)(head - *at);
}

size_t shared_take(struct shared_ring *r, uint64_t *at, char *to, size_t size, uint64_t *ret_missed)
{
	for (;;) {
		size_t n = find_new(r, at, ret_missed);
		size_t from = (size_t)(*at % r->size);

		n = n < size ? n : size;
		n = n < r->size - from ? n : r->size - from;
		if (n == 0)
			return 0;
		memcpy(to, r->bytes + from, n);
		atomic_thread_fence(memory_order_seq_cst);
		if (atomic_load(&r->reserved) > *at + r->size)
			continue; /* lapped while we copied: find_new() moves on */
		*at += n;
		return n;
	}
}

bool shared_event(struct shared_memory *s, uint64_t *at, struct shared_event *ret,
		  uint64_t *ret_missed)
{
	uint64_t head = atomic_load(&s->event_head);

	*ret_missed = 0;
	if (head - *at >= SHARED_EVENTS) { /* the oldest slot may be being written */
		*ret_missed = head - SHARED_EVENTS + 1 - *at;
		*at = head - SHARED_EVENTS + 1;
	}
	if (*at == head)
		return false;
	*ret = s->events[*at % SHARED_EVENTS];
	++*at;
	return true;
}

/* Said first and looked at then: whoever writes in between wakes us. */
bool shared_may_sleep(struct shared_memory *s, const uint64_t at[2])
{
	atomic_store(&s->asleep, true);
	for (size_t i = 0; i < 2; i++)
		if (atomic_load(&s->streams[i].ring.head) != at[i])
			return false;
	return !atomic_load(&s->over);
}

/* A full pipe wakes too. */
void shared_wake_keeper(struct shared_memory *s)
{
	if (s->keeper_pipe >= 0)
		(void)!write(s->keeper_pipe, "", 1);
}

uint64_t shared_bytes(struct shared_stream *stream)
{
	return atomic_load(&stream->ring.head) + atomic_load(&stream->skimmed) +
	       atomic_load(&stream->flood.head) - atomic_load(&stream->poured);
}

uint64_t shared_unscanned(struct shared_memory *s)
{
	return atomic_load(&s->unscanned) + atomic_load(&s->streams[0].skimmed) +
	       atomic_load(&s->streams[1].skimmed);
}

const char *shared_event_name(enum shared_event_kind kind)
{
	static const char *const names[] = {
#define X(kind, name, number) name,
		SHARED_EVENT_KINDS
#undef X
	};

	return kind < SHARED_KINDS ? names[kind] : "unknown";
}
