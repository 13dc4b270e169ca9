#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "run/shared-memory.h"
#include "story/run-journal.h"

static char directory[] = "/tmp/test-diary-XXXXXX";

static void read_back(struct buf *ret)
{
	struct buf path BUF_SCOPED = { 0 };
	FILE *f;

	buf_addf(&path, "%s/journal", directory);
	f = fopen(path.data, "r");
	buf_room(ret, 2 * RUN_JOURNAL_BYTES);
	ret->len = f ? fread(ret->data, 1, 2 * RUN_JOURNAL_BYTES, f) : 0;
	if (f)
		fclose(f);
	unlink(path.data);
}

static size_t count(struct span bytes)
{
	struct run_journal_record r;
	size_t n = 0;

	if (!run_journal_begins(&bytes))
		return 0;
	while (run_journal_next(&bytes, &r))
		n++;
	return n;
}

/* Cut anywhere it gives the records that are whole; one bit turned ends it there. */
static void test_cuts(void)
{
	struct buf bytes BUF_SCOPED = { 0 };
	struct run_journal d;
	size_t before = 0;

	CHECK(run_journal_open(&d, open(directory, O_RDONLY | O_DIRECTORY), 1) == 0);
	CHECK(run_journal_open(&(struct run_journal){ 0 }, open(directory, O_RDONLY | O_DIRECTORY),
			       1) < 0);
	for (uint64_t i = 1; i <= 5; i++)
		CHECK(run_journal_add(&d, RUN_JOURNAL_EVENT, i, SPAN_LITERAL("passed 2\n")));
	close(d.fd);
	read_back(&bytes);
	CHECK(bytes.len == RUN_JOURNAL_BYTES);
	CHECK(count(buf_get(&bytes)) == 5);
	for (size_t cut = 0; cut <= d.at; cut++) {
		size_t n = count((struct span){ bytes.data, cut });

		CHECK(n >= before && n <= 5);
		before = n;
	}
	CHECK(before == 5);
	for (size_t i = RUN_JOURNAL_FIRST; i < d.at; i++) {
		bytes.data[i] ^= 4;
		CHECK(count(buf_get(&bytes)) == (i - RUN_JOURNAL_FIRST) / 33);
		bytes.data[i] ^= 4;
	}
}

/* However much is told, there is room for the end. */
static void test_full(void)
{
	static const char payload[RUN_JOURNAL_PAYLOAD];
	struct buf bytes BUF_SCOPED = { 0 };
	struct span large = { payload, sizeof(payload) };
	struct run_journal d;

	CHECK(run_journal_open(&d, open(directory, O_RDONLY | O_DIRECTORY), 1) == 0);
	while (run_journal_add(&d, RUN_JOURNAL_FAILURE, 0, large))
		;
	CHECK_INT((long)d.left_out, 1);
	CHECK(run_journal_add(&d, RUN_JOURNAL_END, 0, large));
	CHECK_INT((long)d.left_out, 1);
	close(d.fd);
	read_back(&bytes);
	CHECK(bytes.len == RUN_JOURNAL_BYTES);
	CHECK(count(buf_get(&bytes)) > 50);
}

static void put(struct shared_memory *s, struct shared_ring *ring, const char *bytes, size_t n)
{
	while (n > 0) {
		size_t room;
		char *to = shared_reserve(ring, &room);

		room = room < n ? room : n;
		memcpy(to, bytes, room);
		shared_publish(s, ring, room);
		bytes += room;
		n -= room;
	}
}

/* A reader that was lapped misses bytes, knows how many, and has the last megabyte. */
static void test_ring(void)
{
	struct shared_memory *s = shared_new();
	struct shared_ring *ring = &s->streams[0].ring;
	char *all = malloc(3 * SHARED_RING), *got = malloc(3 * SHARED_RING);
	uint64_t at = 0, missed = 0;
	size_t n, total = 0;

	for (size_t i = 0; i < 3 * SHARED_RING; i++)
		all[i] = (char)(i * 2654435761u >> 13);
	put(s, ring, all, 1000);
	CHECK(shared_take(ring, &at, got, 600, &missed) == 600);
	CHECK(shared_take(ring, &at, got + 600, 600, &missed) == 400);
	CHECK(shared_take(ring, &at, got, 600, &missed) == 0);
	CHECK(missed == 0 && memcmp(all, got, 1000) == 0);
	put(s, ring, all + 1000, 3 * SHARED_RING - 1000);
	while ((n = shared_take(ring, &at, got + total, 3 * SHARED_RING - total, &missed)) > 0)
		total += n;
	CHECK(at == 3 * SHARED_RING);
	CHECK(total + missed + 1000 == 3 * SHARED_RING);
	CHECK(total >= (size_t)1 << 20);
	CHECK(memcmp(got, all + 3 * SHARED_RING - total, total) == 0);
	free(all);
	free(got);
}

/* Of a flood the newest megabyte is poured, all bytes are counted, and nothing comes twice. */
static void test_flood(void)
{
	struct shared_memory *s = shared_new();
	struct shared_stream *stream = &s->streams[1];
	size_t size = 2 * SHARED_FLOOD + 12345, n, total = 0;
	char *all = malloc(size), *got = malloc(size);
	uint64_t at = 0, missed = 0;

	for (size_t i = 0; i < size; i++)
		all[i] = (char)(i * 2654435761u >> 13);
	put(s, &stream->ring, all, 100);
	put(s, &stream->flood, all + 100, size - 200);
	CHECK(shared_bytes(stream) == size - 100);
	shared_pour(s, stream);
	shared_pour(s, stream);
	put(s, &stream->ring, all + size - 100, 100);
	while ((n = shared_take(&stream->ring, &at, got + total, size - total, &missed)) > 0)
		total += n;
	CHECK(shared_bytes(stream) == size && missed == 0);
	CHECK(total + shared_unscanned(s) == size && total > (size_t)1 << 20);
	CHECK(memcmp(got, all, 100) == 0);
	CHECK(memcmp(got + 100, all + size - (total - 100), total - 100) == 0);
	free(all);
	free(got);
}

int main(void)
{
	CHECK(mkdtemp(directory) != NULL);
	test_cuts();
	test_full();
	test_ring();
	test_flood();
	rmdir(directory);
	return check_end();
}
