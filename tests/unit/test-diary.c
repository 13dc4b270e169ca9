#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "run/diary.h"
#include "run/share.h"

static char directory[] = "/tmp/test-diary-XXXXXX";

static void read_back(struct buf *ret)
{
	struct buf path BUF_SCOPED = { 0 };
	FILE *f;

	buf_addf(&path, "%s/journal", directory);
	f = fopen(path.data, "r");
	buf_room(ret, 2 * DIARY_BYTES);
	ret->len = f ? fread(ret->data, 1, 2 * DIARY_BYTES, f) : 0;
	if (f)
		fclose(f);
	unlink(path.data);
}

static size_t count(struct span bytes)
{
	struct diary_record r;
	size_t n = 0;

	if (!diary_begins(&bytes))
		return 0;
	while (diary_next(&bytes, &r))
		n++;
	return n;
}

/* Cut anywhere it gives the records that are whole; one bit turned ends it there. */
static void test_cuts(void)
{
	struct buf bytes BUF_SCOPED = { 0 };
	struct diary d;
	size_t before = 0;

	CHECK(diary_open(&d, directory, 1) == 0);
	CHECK(diary_open(&(struct diary){ 0 }, directory, 1) < 0);
	for (uint64_t i = 1; i <= 5; i++)
		CHECK(diary_add(&d, DIARY_EVENT, i, SPAN_LITERAL("passed 2\n")));
	close(d.fd);
	read_back(&bytes);
	CHECK(bytes.len == DIARY_BYTES);
	CHECK(count(buf_get(&bytes)) == 5);
	for (size_t cut = 0; cut <= d.at; cut++) {
		size_t n = count((struct span){ bytes.data, cut });

		CHECK(n >= before && n <= 5);
		before = n;
	}
	CHECK(before == 5);
	for (size_t i = DIARY_FIRST; i < d.at; i++) {
		bytes.data[i] ^= 4;
		CHECK(count(buf_get(&bytes)) == (i - DIARY_FIRST) / 33);
		bytes.data[i] ^= 4;
	}
}

/* However much is told, there is room for the end. */
static void test_full(void)
{
	static const char payload[DIARY_PAYLOAD];
	struct buf bytes BUF_SCOPED = { 0 };
	struct span large = { payload, sizeof(payload) };
	struct diary d;

	CHECK(diary_open(&d, directory, 1) == 0);
	while (diary_add(&d, DIARY_FAILURE, 0, large))
		;
	CHECK(diary_add(&d, DIARY_END, 0, large));
	close(d.fd);
	read_back(&bytes);
	CHECK(bytes.len == DIARY_BYTES);
	CHECK(count(buf_get(&bytes)) > 50);
}

static void put(struct share *s, const char *bytes, size_t n)
{
	while (n > 0) {
		size_t room;
		char *to = share_reserve(&s->rings[0], &room);

		room = room < n ? room : n;
		memcpy(to, bytes, room);
		share_publish(s, &s->rings[0], room);
		bytes += room;
		n -= room;
	}
}

/* A reader that was lapped misses bytes, knows how many, and has the last megabyte. */
static void test_ring(void)
{
	struct share *s = share_new();
	char *all = malloc(3 * SHARE_RING), *got = malloc(3 * SHARE_RING);
	uint64_t at = 0, missed = 0;
	size_t n, total = 0;

	for (size_t i = 0; i < 3 * SHARE_RING; i++)
		all[i] = (char)(i * 2654435761u >> 13);
	put(s, all, 1000);
	CHECK(share_take(&s->rings[0], &at, got, 600, &missed) == 600);
	CHECK(share_take(&s->rings[0], &at, got + 600, 600, &missed) == 400);
	CHECK(share_take(&s->rings[0], &at, got, 600, &missed) == 0);
	CHECK(missed == 0 && memcmp(all, got, 1000) == 0);
	put(s, all + 1000, 3 * SHARE_RING - 1000);
	while ((n = share_take(&s->rings[0], &at, got + total, 3 * SHARE_RING - total, &missed)) >
	       0)
		total += n;
	CHECK(at == 3 * SHARE_RING);
	CHECK(total + missed + 1000 == 3 * SHARE_RING);
	CHECK(total >= (size_t)1 << 20);
	CHECK(memcmp(got, all + 3 * SHARE_RING - total, total) == 0);
	free(all);
	free(got);
}

int main(void)
{
	CHECK(mkdtemp(directory) != NULL);
	test_cuts();
	test_full();
	test_ring();
	rmdir(directory);
	return check_end();
}
