#include "run/relay.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "run/thread.h"

static void lose(struct relay *r, size_t n, int why)
{
	atomic_fetch_add(&r->stream->lost, n);
	atomic_store(&r->stream->lost_why, why);
}

/*
 * The size of one write. A pipe takes PIPE_BUF bytes whole or not at all, so a death
 * of ours never leaves half of a piece with the reader. For a file its offset shows
 * our position.
 */
static size_t piece_of(struct relay *r, struct shared_ring *ring, size_t n)
{
	off_t at = -1;

	if (!r->survives)
		return n;
	at = lseek(r->out, 0, fcntl(r->out, F_GETFL) & O_APPEND ? SEEK_END : SEEK_CUR);
	atomic_store(&ring->at_file, at);
	atomic_store(&ring->at_ring, atomic_load(&ring->passed));
	return at >= 0 || n < PIPE_BUF ? n : PIPE_BUF;
}

/*
 * Hand on what lies in the ring up to `end`. False: the reader is gone, and the job
 * is to learn of it. A full disk or a terminal that was closed is no reason for the
 * job to end: what does not go through is counted, and the next piece is tried again.
 */
static bool put(struct relay *r, struct shared_ring *ring, uint64_t end)
{
	uint64_t at;

	while ((at = atomic_load(&ring->passed)) < end) {
		size_t n = (size_t)(end - at);
		ssize_t done = write(r->out, ring->bytes + at % ring->size, piece_of(r, ring, n));

		if (done >= 0) {
			atomic_store(&ring->passed, at + (uint64_t)done);
			atomic_store(&ring->at_file, -1); /* others may write there too */
		} else if (errno == EAGAIN) {
			poll(&(struct pollfd){ .fd = r->out, .events = POLLOUT }, 1, -1);
		} else if (errno != EINTR) {
			bool gone = (errno == EPIPE || errno == ECONNRESET) && !r->keeps;

			lose(r, n, errno);
			if (gone)
				return false;
			atomic_store(&ring->passed, end);
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

/*
 * Bytes that read() has taken from the job and that are not published die with us.
 * So the output of a job that survives goes through a pipe of ours first: the
 * kernel moves bytes there whole or not at all, and the bytes left in that pipe
 * show a successor how many of the claimed ones have reached the ring.
 */
static ssize_t read_aside(struct relay *r, struct shared_ring *ring, char *to, size_t room)
{
	int held = 0;
	size_t n;

	if (ioctl(r->aside[0], FIONREAD, &held) < 0)
		return -1;
	if (held == 0) {
		ssize_t moved = splice(r->in, NULL, r->aside[1], NULL, room, 0);

		if (moved < 0 && errno == EINVAL) /* a terminal of an old kernel */
			return read(r->in, to, room);
		if (moved <= 0)
			return moved;
		held = (int)moved;
	}
	atomic_store(&r->state, RELAY_WRITING);
	atomic_store(&ring->claimed, atomic_load(&ring->head) + (uint64_t)held);
	n = (size_t)held < room ? (size_t)held : room;
	return read(r->aside[0], to, n);
}

/* A terminal of which nobody has the other side answers EIO: its end. A pipe has no such end. */
static void lose_rest(struct relay *r, int why)
{
	int waiting = 0;

	if (!r->keeps && ioctl(r->in, FIONREAD, &waiting) == 0)
		lose(r, (size_t)waiting, why);
}

static bool pass_on(struct relay *r)
{
	struct shared_ring *ring = ring_for_now(r);
	size_t room;
	char *to = shared_reserve(ring, &room);
	bool taken;
	ssize_t n;

	atomic_store(&r->state, RELAY_READING);
	n = r->survives ? read_aside(r, ring, to, room) : read(r->in, to, room);
	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return true;
	if (n < 0) {
		lose_rest(r, errno);
		return false;
	}
	atomic_store(&r->state, RELAY_WRITING);
	shared_publish(r->shared, ring, (size_t)n);
	atomic_store(&ring->claimed, 0);
	if (n == 0)
		return false;
	pthread_mutex_lock(&r->turn);
	taken = put(r, ring, atomic_load(&ring->head));
	r->last = to[n - 1];
	pthread_mutex_unlock(&r->turn);
	return taken;
}

/* Publishes the bytes that the process before us had read but not published when it died. */
static void adopt_bytes(struct relay *r, struct shared_ring *ring)
{
	uint64_t claimed = atomic_load(&ring->claimed), head = atomic_load(&ring->head);
	int held = 0;

	if (claimed > head && ioctl(r->aside[0], FIONREAD, &held) == 0 &&
	    claimed - head > (uint64_t)held)
		shared_publish(r->shared, ring, (size_t)(claimed - head) - (size_t)held);
	atomic_store(&ring->claimed, 0);
}

/* The output's offset says how much was written: all who share the descriptor share it. */
static void adopt_place(struct relay *r, struct shared_ring *ring)
{
	uint64_t passed = atomic_load(&ring->passed), head = atomic_load(&ring->head), at;
	off_t now = lseek(r->out, 0, SEEK_CUR), then = atomic_load(&ring->at_file);

	if (now < 0 || then < 0 || now < then)
		return;
	at = atomic_load(&ring->at_ring) + (uint64_t)(now - then);
	if (at > passed && at <= head)
		atomic_store(&ring->passed, at);
}

/* Writes the bytes that the process before us had read but not written when it died. */
static void pass_rest(struct relay *r, struct shared_ring *ring)
{
	uint64_t head, passed;

	if (r->survives) {
		adopt_bytes(r, ring);
		adopt_place(r, ring);
	}
	head = atomic_load(&ring->head);
	passed = atomic_load(&ring->passed);
	if (head > passed && head - passed <= SHARED_CHUNK)
		put(r, ring, head);
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
	int error;

	assert(!r->started && (r->in < 0 || (r->stream && r->out >= 0)));
	if (r->in < 0)
		return 0;
	pthread_mutex_init(&r->turn, NULL);
	r->last = '\n';
	error = thread_start(&r->thread, THREAD_STACK, work, r);
	r->started = error == 0;
	return error;
}

bool relay_is_idle(struct relay *r)
{
	int waiting = 0;

	return r->started && atomic_load(&r->state) == RELAY_READING &&
	       ioctl(r->in, FIONREAD, &waiting) == 0 && waiting == 0;
}
