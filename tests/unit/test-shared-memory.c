/* The memory between keeper and watcher: rings that are written over, readers that come late. */

#include "run/shared-memory.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

#define SMALL (3 * SHARED_CHUNK + 4096) /* no power of two: the end of a chunk meets the end */

static struct shared_memory *shared;
static unsigned int seed = 7;

/* What stands at an offset of the stream, so that any byte tells where it belongs. */
static char byte_at(uint64_t offset)
{
	return (char)((offset * 0x9e3779b97f4a7c15u) >> 56);
}

static void write_some(struct shared_ring *r, size_t most)
{
	uint64_t head = atomic_load(&r->head);
	size_t room, n;
	char *to = shared_reserve(r, &room);

	n = room < most ? room : most;
	for (size_t i = 0; i < n; i++)
		to[i] = byte_at(head + i);
	shared_publish(shared, r, n);
}

static void write_until(struct shared_ring *r, uint64_t head)
{
	while (atomic_load(&r->head) < head)
		write_some(r, (size_t)(head - atomic_load(&r->head)));
}

/* Takes what is there; false if a byte is not the one of its offset. */
static bool take_all(struct shared_ring *r, uint64_t *at, size_t most, uint64_t *taken,
		     uint64_t *missed)
{
	static char got[SHARED_RING];
	bool good = true;
	size_t n;

	while ((n = shared_take(r, at, got, most, missed)) > 0) {
		for (size_t i = 0; i < n && good; i++)
			good = got[i] == byte_at(*at - n + i);
		*taken += n;
	}
	return good;
}

static struct shared_ring *small_ring(void)
{
	static char bytes[SMALL];
	static struct shared_ring ring;

	ring = (struct shared_ring){ .bytes = bytes, .size = SMALL };
	return &ring;
}

/* A reader that keeps up gets every byte, over the end of the ring and again. */
static void test_wrap(void)
{
	struct shared_ring *r = small_ring();
	uint64_t at = 0, taken = 0, missed = 0;

	while (atomic_load(&r->head) < 5 * SMALL) {
		write_some(r, 1 + (size_t)rand_r(&seed) % SHARED_CHUNK);
		if (!CHECK(take_all(r, &at, 1 + (size_t)rand_r(&seed) % 50000, &taken, &missed)))
			break;
		CHECK_INT(at, atomic_load(&r->head));
	}
	CHECK_INT(missed, 0);
	CHECK_INT(taken, atomic_load(&r->head));
}

/* One that is behind misses nothing as long as no byte of it can be written over, and not one byte more. */
static void test_behind(void)
{
	for (int over = 0; over < 2; over++) {
		struct shared_ring *r = small_ring();
		uint64_t at = 1000, taken = 0, missed = 0, head;

		write_until(r, 1000 + SMALL - SHARED_CHUNK + (uint64_t)over);
		head = atomic_load(&r->head);
		CHECK(take_all(r, &at, SMALL, &taken, &missed));
		CHECK_INT(at, head);
		CHECK_INT(taken + missed, head - 1000);
		CHECK_INT(missed, over ? SHARED_CHUNK + 1 : 0);
	}
}

static void test_lapped(void)
{
	struct shared_ring *r = &shared->streams[1].ring;
	uint64_t at = 0, taken = 0, missed = 0;

	write_until(r, 3 * SHARED_RING + 12345);
	CHECK(take_all(r, &at, SHARED_RING, &taken, &missed));
	CHECK_INT(taken, SHARED_RING - 2 * SHARED_CHUNK); /* the newest, and a lot of them */
	CHECK_INT(missed + taken, 3 * SHARED_RING + 12345);
}

static struct shared_ring *lapping;
static char *page;
static size_t page_size;

/* The reader has stopped in the midst of its copy, at a page that it may not write. */
static void lap(int number)
{
	(void)number;
	write_until(lapping, atomic_load(&lapping->head) + 2 * SHARED_CHUNK);
	(void)mprotect(page, page_size, PROT_READ | PROT_WRITE);
}

/*
 * The writer never waits. Of what a reader copies while it is written over
 * nothing is handed on, and what it missed is counted to the byte.
 */
static void test_torn(void)
{
	struct shared_ring *r = small_ring();
	uint64_t at = 0, missed = 0, head;
	bool good = true;
	char *to;
	size_t n;

	page_size = (size_t)sysconf(_SC_PAGESIZE);
	to = mmap(NULL, SMALL, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (!CHECK(to != MAP_FAILED))
		return;
	page = to + 8 * page_size;
	lapping = r;
	write_until(r, SMALL - SHARED_CHUNK);
	signal(SIGSEGV, lap);
	CHECK_INT(mprotect(page, page_size, PROT_NONE), 0);
	n = shared_take(r, &at, to, SMALL, &missed);
	signal(SIGSEGV, SIG_DFL);
	head = atomic_load(&r->head);
	CHECK_INT(head, SMALL + SHARED_CHUNK); /* it was lapped */
	CHECK(n > 0 && at <= head);
	for (size_t i = 0; i < n && good; i++)
		good = to[i] == byte_at(at - n + i);
	CHECK(good);
	CHECK_INT(n + missed, at);
	CHECK(missed > 0);
	munmap(to, SMALL);
}

/* A keeper that is killed while it reads leaves whole bytes, and they end where it said so last. */
static void test_dead_writer(void)
{
	struct shared_ring *r = &shared->streams[0].ring;
	uint64_t at = 0, taken = 0, missed = 0, head = 2 * SHARED_RING + 777;
	pid_t child = fork();
	int status = 0;
	size_t room;
	char *begun;

	if (child == 0) {
		write_until(r, head);
		begun = shared_reserve(r, &room);
		memset(begun, 'X', room);
		raise(SIGKILL);
	}
	CHECK(child > 0 && waitpid(child, &status, 0) == child && WIFSIGNALED(status));
	CHECK(take_all(r, &at, SHARED_RING, &taken, &missed));
	CHECK_INT(at, head);
	CHECK_INT(taken, SHARED_RING - 2 * SHARED_CHUNK);
	/* Whoever goes on after it writes over what was begun. */
	write_until(r, head + 1000);
	CHECK(take_all(r, &at, 100, &taken, &missed));
	CHECK_INT(taken + missed, head + 1000);
}

/* A watcher that is dead, or has a full pipe, holds nobody up. */
static void test_dead_reader(void)
{
	struct shared_ring *r = small_ring();
	uint64_t at[2] = { atomic_load(&shared->streams[0].ring.head),
			   atomic_load(&shared->streams[1].ring.head) };
	int ends[2];
	char byte;

	signal(SIGPIPE, SIG_IGN);
	CHECK_INT(pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0);
	shared->watcher_pipe = ends[1];
	CHECK(shared_may_sleep(shared, at));
	write_some(r, 10);
	CHECK_INT(read(ends[0], &byte, 1), 1); /* awake */
	write_some(r, 10);
	CHECK_INT(read(ends[0], &byte, 1), -1); /* nobody sleeps: no byte is written */
	while (write(ends[1], "", 1) == 1)
		;
	CHECK(shared_may_sleep(shared, at));
	write_some(r, 10);
	close(ends[0]);
	CHECK(shared_may_sleep(shared, at));
	write_some(r, 10);
	CHECK_INT(atomic_load(&r->head), 40);
	close(ends[1]);
	shared->watcher_pipe = -1;
}

/* What came before the reader looked keeps it awake: a stream, or the end. */
static void test_sleep(void)
{
	uint64_t at[2] = { atomic_load(&shared->streams[0].ring.head),
			   atomic_load(&shared->streams[1].ring.head) };

	CHECK(shared_may_sleep(shared, at));
	for (int i = 0; i < 2; i++) {
		at[i]--;
		CHECK(!shared_may_sleep(shared, at));
		at[i]++;
	}
	atomic_store(&shared->over, true);
	CHECK(!shared_may_sleep(shared, at));
	atomic_store(&shared->over, false);
}

static void test_events(void)
{
	struct shared_event e;
	uint64_t at = 0, missed, all = 0, read = 0;

	for (int i = 0; i < 100; i++)
		shared_add_event(shared, SHARED_PASSED, i);
	for (int i = 0; i < 40; i++) {
		CHECK(shared_event(shared, &at, &e, &missed));
		CHECK(missed == 0 && e.number == i && e.kind == SHARED_PASSED && e.at_ms > 0);
	}
	for (int i = 100; i < 1000; i++)
		shared_add_event(shared, SHARED_STUCK, i);
	while (shared_event(shared, &at, &e, &missed)) {
		all += missed;
		CHECK_INT(e.number, 40 + (int64_t)(all + read++));
	}
	CHECK_INT(read, SHARED_EVENTS - 1); /* the oldest slot may be being written */
	CHECK_INT(all + read, 960);
	for (int i = 0; i < SHARED_EVENTS; i++)
		shared_add_event(shared, SHARED_PASSED, i);
	CHECK(shared_event(shared, &at, &e, &missed));
	CHECK(missed == 1 && e.number == 1);
	CHECK_TEXT(shared_event_name(SHARED_HELD), "held");
}

/* Of a flood the end goes into the ring that is scanned, and the rest is counted. */
static void test_flood(void)
{
	struct shared_stream s = { .ring = { .bytes = shared->memory[1], .size = SHARED_RING } };
	uint64_t at, taken = 0, missed = 0, total = 3 * SMALL + 99;

	s.flood = *small_ring();
	write_until(&s.flood, total);
	CHECK_INT(shared_bytes(&s), total);
	shared_pour(shared, &s);
	CHECK_INT(atomic_load(&s.skimmed), total - SMALL);
	CHECK_INT(atomic_load(&s.ring.head), SMALL);
	CHECK_INT(atomic_load(&s.ring.passed), SMALL); /* they were handed on already */
	CHECK_INT(shared_bytes(&s), total);
	CHECK_INT(s.ring.bytes[0], byte_at(total - SMALL));
	CHECK_INT(s.ring.bytes[SMALL - 1], byte_at(total - 1));
	/* A second one begins where the first ended. */
	write_until(&s.flood, total + 50);
	shared_pour(shared, &s);
	CHECK_INT(atomic_load(&s.ring.head), SMALL + 50);
	CHECK_INT(atomic_load(&s.skimmed), total - SMALL);
	CHECK_INT(shared_bytes(&s), total + 50);
	/* As offsets of the ring the whole is the end of the stream. */
	at = 0;
	taken = 0;
	while (taken < SMALL + 50) {
		char got[4096];
		size_t n = shared_take(&s.ring, &at, got, sizeof(got), &missed);

		if (!CHECK(n > 0 && got[0] == byte_at(total - SMALL + taken)))
			break;
		taken += n;
	}
	CHECK_INT(missed, 0);
}

int main(void)
{
	shared = shared_new();
	if (!CHECK(shared != NULL))
		return check_end();
	test_wrap();
	test_behind();
	test_lapped();
	test_torn();
	test_dead_writer();
	test_dead_reader();
	test_sleep();
	test_events();
	test_flood();
	shared_free(shared);
	return check_end();
}
