/* A stream of the job on its way: every byte, in order, whatever the two ends do. */

#include "run/relay.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"

#define TOTAL ((size_t)9 << 20) /* more than the ring, so that it is written over */

static char sent[TOTAL], got[TOTAL + 1];

struct line {
	struct shared_memory *shared;
	struct relay relay;
	int job;    /* its end of the pipe */
	int reader; /* where our output is read */
	int over;
};

static void make_pipe(int ends[2])
{
	CHECK_INT(pipe2(ends, O_CLOEXEC), 0);
}

/* out: -1, a pipe of the smallest size that can be full. */
static void begin(struct line *l, int out, bool keeps)
{
	int in[2], over[2], to[2] = { -1, out };

	l->shared = shared_new();
	make_pipe(in);
	make_pipe(over);
	if (out < 0) {
		make_pipe(to);
		(void)fcntl(to[1], F_SETPIPE_SZ, 4096);
		(void)fcntl(to[1], F_SETFL, O_NONBLOCK); /* a shell may have left it so */
	}
	l->relay = (struct relay){ .in = in[0],
				   .out = to[1],
				   .keeps = keeps,
				   .over = over[1],
				   .shared = l->shared,
				   .stream = &l->shared->streams[0] };
	l->job = in[1];
	l->reader = to[0];
	l->over = over[0];
}

/* Waits for the end that the relay tells, with patience for a loaded machine. */
static void end(struct line *l)
{
	struct pollfd over = { .fd = l->over, .events = POLLIN };

	CHECK_INT(poll(&over, 1, 60000), 1);
	pthread_join(l->relay.thread, NULL);
	CHECK_INT(atomic_load(&l->relay.state), RELAY_DONE);
	CHECK_INT(fcntl(l->relay.in, F_GETFD), -1); /* the job learns that nobody reads */
	close(l->over);
	close(l->relay.over);
	close(l->relay.out);
	if (l->reader >= 0)
		close(l->reader);
	shared_free(l->shared);
}

struct job {
	int fd;
	size_t bytes;
};

/* Pieces of any size; the job closes its end when it is through. */
static void *write_pieces(void *ctx)
{
	const struct job *job = ctx;
	unsigned int seed = 3;

	for (size_t at = 0; at < job->bytes;) {
		size_t n = 1 + (size_t)rand_r(&seed) % (rand_r(&seed) % 2 ? 200000 : 300);
		ssize_t done;

		n = n < job->bytes - at ? n : job->bytes - at;
		done = write(job->fd, sent + at, n);
		if (done < 0)
			break;
		at += (size_t)done;
	}
	close(job->fd);
	return NULL;
}

static size_t read_pieces(int fd, size_t most)
{
	unsigned int seed = 5;
	size_t len = 0;
	ssize_t n;

	while (len < most) {
		size_t want = 1 + (size_t)rand_r(&seed) % 9000;

		n = read(fd, got + len, want < most - len ? want : most - len);
		if (n <= 0)
			break;
		len += (size_t)n;
		if (rand_r(&seed) % 512 == 0)
			usleep(1000); /* the pipe fills up behind us */
	}
	return len;
}

/* Short writes and EAGAIN at a pipe of one page, and the ring written over twice. */
static void test_equal(void)
{
	struct job job = { .bytes = TOTAL };
	pthread_t writer;
	struct line l;

	begin(&l, -1, false);
	job.fd = l.job;
	CHECK_INT(relay_start(&l.relay), 0);
	CHECK_INT(pthread_create(&writer, NULL, write_pieces, &job), 0);
	memset(got, 0, sizeof(got));
	CHECK_INT(read_pieces(l.reader, TOTAL), TOTAL);
	CHECK(memcmp(got, sent, TOTAL) == 0);
	pthread_join(writer, NULL);
	CHECK_INT(atomic_load(&l.relay.stream->lost), 0);
	CHECK_INT(shared_bytes(l.relay.stream), TOTAL);
	end(&l);
}

static bool becomes(struct relay *r, int state)
{
	for (int i = 0; i < 6000 && atomic_load(&r->state) != state; i++)
		usleep(10000);
	return atomic_load(&r->state) == state;
}

/* A pipe that nobody empties holds this stream up, and it is not called idle. */
static void test_full(void)
{
	struct line l;

	begin(&l, -1, false);
	CHECK_INT(write(l.job, sent, 40000), 40000);
	CHECK_INT(relay_start(&l.relay), 0);
	CHECK(becomes(&l.relay, RELAY_WRITING));
	usleep(20000);
	CHECK(!relay_is_idle(&l.relay) && atomic_load(&l.relay.state) == RELAY_WRITING);
	CHECK_INT(read_pieces(l.reader, 40000), 40000);
	CHECK(memcmp(got, sent, 40000) == 0);
	CHECK(becomes(&l.relay, RELAY_READING));
	CHECK(relay_is_idle(&l.relay)); /* somebody keeps it open and says nothing */
	CHECK_INT(atomic_load(&l.relay.stream->ring.passed), 40000);
	close(l.job);
	end(&l);
}

/* `| head`: the job gets its SIGPIPE, as it would without us. */
static void test_reader_gone(void)
{
	struct line l;
	int job;

	begin(&l, -1, false);
	job = l.job;
	close(l.reader);
	l.reader = -1;
	CHECK_INT(write(job, sent, 5000), 5000);
	CHECK_INT(relay_start(&l.relay), 0);
	for (int i = 0; i < 6000 && atomic_load(&l.relay.state) != RELAY_DONE; i++)
		usleep(10000);
	CHECK(write(job, sent, 1) == -1 && errno == EPIPE);
	CHECK_INT(atomic_load(&l.relay.stream->lost), 5000);
	CHECK_INT(atomic_load(&l.relay.stream->lost_why), EPIPE);
	close(job);
	end(&l);
}

/* A disk that is full, a terminal that is closed: the job goes on, and what is lost is counted. */
static void test_lost(int out, int why)
{
	struct job job = { .bytes = 700000 };
	pthread_t writer;
	struct line l;

	begin(&l, out, true);
	if (out < 0) {
		close(l.reader);
		l.reader = -1;
	}
	job.fd = l.job;
	CHECK_INT(relay_start(&l.relay), 0);
	CHECK_INT(pthread_create(&writer, NULL, write_pieces, &job), 0);
	pthread_join(writer, NULL);
	for (int i = 0; i < 6000 && atomic_load(&l.relay.state) != RELAY_DONE; i++)
		usleep(10000);
	CHECK_INT(atomic_load(&l.relay.stream->lost), 700000);
	CHECK_INT(atomic_load(&l.relay.stream->lost_why), why);
	CHECK_INT(atomic_load(&l.relay.stream->ring.head), 700000); /* the watcher has them */
	CHECK(memcmp(l.relay.stream->ring.bytes, sent, 700000) == 0);
	end(&l);
}

/* A keeper died between reading and writing: who goes on hands its bytes on first, once. */
static void test_rest(void)
{
	struct shared_ring *ring;
	struct line l;
	size_t room;
	char *to;

	begin(&l, -1, false);
	ring = &l.relay.stream->ring;
	to = shared_reserve(ring, &room);
	memcpy(to, sent, 300);
	shared_publish(l.shared, ring, 300);
	atomic_store(&ring->passed, 100);
	CHECK_INT(write(l.job, sent + 300, 200), 200);
	close(l.job);
	CHECK_INT(relay_start(&l.relay), 0);
	CHECK_INT(read_pieces(l.reader, 400), 400);
	CHECK(memcmp(got, sent + 100, 400) == 0);
	/* The bytes are written before they are counted. */
	for (int i = 0; i < 6000 && atomic_load(&l.relay.state) != RELAY_DONE; i++)
		usleep(10000);
	CHECK_INT(atomic_load(&ring->passed), 500);
	end(&l);
}

/*
 * A keeper died in the middle of a call, of 500 bytes that it had moved aside: 300
 * had reached the ring and were not published, 200 had not. All are handed on, once.
 */
static void test_claimed(void)
{
	struct shared_ring *ring;
	struct line l;
	size_t room;

	begin(&l, -1, false);
	ring = &l.relay.stream->ring;
	l.relay.survives = true;
	CHECK_INT(pipe(l.relay.aside), 0);
	memcpy(shared_reserve(ring, &room), sent, 300);
	atomic_store(&ring->claimed, 500);
	CHECK_INT(write(l.relay.aside[1], sent + 300, 200), 200);
	CHECK_INT(write(l.job, sent + 500, 9500), 9500);
	close(l.job);
	CHECK_INT(relay_start(&l.relay), 0);
	CHECK_INT(read_pieces(l.reader, 10000), 10000);
	CHECK(memcmp(got, sent, 10000) == 0);
	CHECK(becomes(&l.relay, RELAY_DONE));
	CHECK_INT(atomic_load(&ring->passed), 10000);
	CHECK_INT(shared_bytes(l.relay.stream), 10000);
	close(l.relay.aside[0]);
	close(l.relay.aside[1]);
	end(&l);
}

/* It died behind a write() to a file, before it said so: the file's offset does. */
static void test_place_in_a_file(void)
{
	FILE *file = tmpfile();
	struct shared_ring *ring;
	struct line l;
	size_t room;

	begin(&l, dup(fileno(file)), false);
	ring = &l.relay.stream->ring;
	l.relay.survives = true;
	CHECK_INT(pipe(l.relay.aside), 0);
	memcpy(shared_reserve(ring, &room), sent, 300);
	shared_publish(l.shared, ring, 300);
	CHECK_INT(write(fileno(file), sent, 120), 120);
	atomic_store(&ring->at_file, 0);
	close(l.job);
	CHECK_INT(relay_start(&l.relay), 0);
	CHECK(becomes(&l.relay, RELAY_DONE));
	CHECK_INT(pread(fileno(file), got, 1000, 0), 300);
	CHECK(memcmp(got, sent, 300) == 0);
	close(l.relay.aside[0]);
	close(l.relay.aside[1]);
	end(&l);
	fclose(file);
}

/* In a flood every byte is handed on, and the end of it is there for the scan. */
static void test_flood(void)
{
	struct job job = { .bytes = TOTAL };
	struct shared_stream *stream;
	pthread_t writer;
	struct line l;

	begin(&l, -1, false);
	stream = l.relay.stream;
	atomic_store(&stream->in_flood, true);
	job.fd = l.job;
	CHECK_INT(relay_start(&l.relay), 0);
	CHECK_INT(pthread_create(&writer, NULL, write_pieces, &job), 0);
	memset(got, 0, sizeof(got));
	CHECK_INT(read_pieces(l.reader, TOTAL), TOTAL);
	CHECK(memcmp(got, sent, TOTAL) == 0);
	pthread_join(writer, NULL);
	for (int i = 0; i < 6000 && atomic_load(&l.relay.state) != RELAY_DONE; i++)
		usleep(10000);
	CHECK_INT(atomic_load(&stream->ring.head), SHARED_FLOOD);
	CHECK_INT(atomic_load(&stream->skimmed), TOTAL - SHARED_FLOOD);
	CHECK(memcmp(stream->ring.bytes, sent + TOTAL - SHARED_FLOOD, SHARED_FLOOD) == 0);
	CHECK_INT(shared_bytes(stream), TOTAL);
	end(&l);
}

static void test_none(void)
{
	struct relay none = { .in = -1 };

	CHECK_INT(relay_start(&none), 0);
	CHECK(!none.started && !relay_is_idle(&none));
}

int main(void)
{
	unsigned int seed = 1;

	signal(SIGPIPE, SIG_IGN); /* as the keeper has it */
	for (size_t i = 0; i < TOTAL; i++)
		sent[i] = (char)rand_r(&seed);
	test_none();
	test_equal();
	test_full();
	test_reader_gone();
	test_lost(-1, EPIPE);
	test_lost(open("/dev/full", O_WRONLY | O_CLOEXEC), ENOSPC);
	test_rest();
	test_claimed();
	test_place_in_a_file();
	test_flood();
	return check_end();
}
