#include "run/relay.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define STACK_BYTES ((size_t)64 << 10)

static void lose(struct relay *r, size_t n, int why)
{
	atomic_fetch_add(&r->stream->lost, n);
	atomic_store(&r->stream->lost_why, why);
}

/*
 * False: the reader is gone, and the job is to learn of it. A full disk or a
 * terminal that was closed is no reason for the job to end: what does not go
 * through is counted, and the next piece is tried again.
 */
static bool put(struct relay *r, const char *bytes, size_t n)
{
	while (n > 0) {
		ssize_t done = write(r->out, bytes, n);

		if (done >= 0) {
			bytes += done;
			n -= (size_t)done;
		} else if (errno == EAGAIN) {
			poll(&(struct pollfd){ .fd = r->out, .events = POLLOUT }, 1, -1);
		} else if ((errno == EPIPE || errno == ECONNRESET) && !r->keeps) {
			lose(r, n, errno);
			return false;
		} else if (errno != EINTR) {
			lose(r, n, errno);
			return true;
		}
	}
	return true;
}

static struct shared_ring *ring_for_now(struct relay *r)
{
	struct shared_stream *s = r->stream;

	if (atomic_load_explicit(&s->in_flood, memory_order_relaxed))
		return &s->flood;
	if (atomic_load(&s->flood.head) != atomic_load(&s->poured))
		shared_pour(r->shared, s);
	return &s->ring;
}

/* A terminal of which nobody has the other side answers EIO. */
static bool pass_on(struct relay *r)
{
	struct shared_ring *ring = ring_for_now(r);
	size_t room;
	char *to = shared_reserve(ring, &room);
	bool taken;
	ssize_t n;

	atomic_store(&r->state, RELAY_READING);
	n = read(r->in, to, room);
	if (n < 0)
		return errno == EINTR || errno == EAGAIN;
	atomic_store(&r->state, RELAY_WRITING);
	shared_publish(r->shared, ring, (size_t)n);
	if (n == 0)
		return false;
	pthread_mutex_lock(&r->turn);
	taken = put(r, to, (size_t)n);
	r->last = to[n - 1];
	pthread_mutex_unlock(&r->turn);
	if (taken)
		atomic_store(&ring->passed, atomic_load(&ring->head));
	return taken;
}

/* What another has read and not handed on, because it died. */
static void pass_rest(struct relay *r, struct shared_ring *ring)
{
	uint64_t at = atomic_load(&ring->passed), head = atomic_load(&ring->head);

	if (head > at && head - at <= SHARED_CHUNK)
		put(r, ring->bytes + at % ring->size, (size_t)(head - at));
}

static void *work(void *ctx)
{
	struct relay *r = ctx;

	pass_rest(r, &r->stream->ring);
	pass_rest(r, &r->stream->flood);
	while (pass_on(r))
		;
	shared_pour(r->shared, r->stream);
	close(r->in);
	atomic_store(&r->state, RELAY_DONE);
	(void)!write(r->over, "", 1);
	return NULL;
}

int relay_start(struct relay *r)
{
	pthread_attr_t attributes;
	int error;

	assert(!r->started && (r->in < 0 || (r->stream && r->out >= 0)));
	if (r->in < 0)
		return 0;
	pthread_mutex_init(&r->turn, NULL);
	r->last = '\n';
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK_BYTES);
	error = pthread_create(&r->thread, &attributes, work, r);
	pthread_attr_destroy(&attributes);
	r->started = error == 0;
	return -error;
}

bool relay_is_idle(struct relay *r)
{
	int waiting = 0;

	return r->started && atomic_load(&r->state) == RELAY_READING &&
	       ioctl(r->in, FIONREAD, &waiting) == 0 && waiting == 0;
}
