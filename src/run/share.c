#include "run/share.h"

#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

struct share *share_new(void)
{
	struct share *s =
		mmap(NULL, sizeof(*s), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (s == MAP_FAILED)
		return NULL;
	s->wake = s->call = -1;
	for (size_t i = 0; i < 2; i++) {
		s->streams[i].ring.bytes = s->memory[i];
		s->streams[i].ring.size = SHARE_RING;
		s->streams[i].flood.bytes = s->memory[i] + SHARE_RING;
		s->streams[i].flood.size = SHARE_FLOOD;
	}
	return s;
}

void share_free(struct share *s)
{
	munmap(s, sizeof(*s));
}

static uint64_t milliseconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

uint64_t share_clock(void)
{
	return milliseconds(CLOCK_MONOTONIC);
}

uint64_t share_date(void)
{
	return milliseconds(CLOCK_REALTIME);
}

char *share_reserve(struct share_ring *r, size_t *ret_room)
{
	uint64_t head = atomic_load_explicit(&r->head, memory_order_relaxed);
	size_t at = (size_t)(head % r->size);
	size_t room = r->size - at < SHARE_CHUNK ? r->size - at : SHARE_CHUNK;

	/* A reader that has copied bytes which we are about to replace must learn of it. */
	atomic_store(&r->reserved, head + room);
	atomic_thread_fence(memory_order_seq_cst);
	*ret_room = room;
	return r->bytes + at;
}

void share_publish(struct share *s, struct share_ring *r, size_t n)
{
	uint64_t head = atomic_load_explicit(&r->head, memory_order_relaxed) + n;

	atomic_store(&r->head, head);
	atomic_store_explicit(&r->reserved, head, memory_order_relaxed);
	if (atomic_load(&s->asleep))
		share_wake(s);
}

void share_pour(struct share *s, struct share_stream *stream)
{
	struct share_ring *from = &stream->flood, *to = &stream->ring;
	uint64_t head = atomic_load(&from->head), at = atomic_load(&stream->poured);

	if (head - at > from->size) {
		atomic_fetch_add(&stream->skimmed, head - from->size - at);
		at = head - from->size;
	}
	while (at < head) {
		size_t room, start = (size_t)(at % from->size);
		char *place = share_reserve(to, &room);
		size_t n = head - at < room ? (size_t)(head - at) : room;

		n = n < from->size - start ? n : from->size - start;
		memcpy(place, from->bytes + start, n);
		share_publish(s, to, n);
		at += n;
		atomic_store(&stream->poured, at);
	}
	atomic_store(&to->passed, atomic_load(&to->head));
}

void share_wake(struct share *s)
{
	/* A full pipe has waking bytes enough; SIGPIPE is ignored. */
	if (atomic_exchange(&s->asleep, false) && s->wake >= 0)
		(void)!write(s->wake, "", 1);
}

void share_note(struct share *s, enum share_event_kind kind, int64_t number)
{
	uint64_t head = atomic_load_explicit(&s->event_head, memory_order_relaxed);

	s->events[head % SHARE_EVENTS] = (struct share_event){ share_date(), number, kind };
	atomic_store(&s->event_head, head + 1);
	share_wake(s);
}

/*
 * What lies in the ring from *at on. A reader that was lapped starts so far from
 * the end that it has time to copy; more than the last megabyte is always there.
 */
static size_t find_new(struct share_ring *r, uint64_t *at, uint64_t *missed)
{
	uint64_t head = atomic_load(&r->head), kept = r->size - 2 * SHARE_CHUNK;

	if (head - *at > r->size - SHARE_CHUNK) {
		*missed += head - kept - *at;
		*at = head - kept;
	}
	return (size_t)(head - *at);
}

size_t share_take(struct share_ring *r, uint64_t *at, char *to, size_t size, uint64_t *ret_missed)
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

bool share_event(struct share *s, uint64_t *at, struct share_event *ret)
{
	uint64_t head = atomic_load(&s->event_head);

	if (head - *at >= SHARE_EVENTS) /* the oldest slot may be being written */
		*at = head - SHARE_EVENTS + 1;
	if (*at == head)
		return false;
	*ret = s->events[*at % SHARE_EVENTS];
	++*at;
	return true;
}

/* Said first and looked at then: whoever writes in between wakes us. */
bool share_may_sleep(struct share *s, const uint64_t at[2])
{
	atomic_store(&s->asleep, true);
	for (size_t i = 0; i < 2; i++)
		if (atomic_load(&s->streams[i].ring.head) != at[i])
			return false;
	return !atomic_load(&s->over);
}

/* A full pipe wakes too. */
void share_call(struct share *s)
{
	if (s->call >= 0)
		(void)!write(s->call, "", 1);
}

uint64_t share_bytes(struct share_stream *stream)
{
	return atomic_load(&stream->ring.head) + atomic_load(&stream->skimmed) +
	       atomic_load(&stream->flood.head) - atomic_load(&stream->poured);
}

uint64_t share_unscanned(struct share *s)
{
	return atomic_load(&s->unscanned) + atomic_load(&s->streams[0].skimmed) +
	       atomic_load(&s->streams[1].skimmed);
}

const char *share_event_name(enum share_event_kind kind)
{
	static const char *const names[] = {
#define X(kind, name, number) name,
		SHARE_EVENT_KINDS
#undef X
	};

	return kind < SHARE_KINDS ? names[kind] : "unknown";
}
