#include "door/beacon.h"

#include <assert.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>

#include "base/clock.h"
#include "base/fd.h"

#define HEAD_SIZE   ((size_t)4096)
#define BEACON_SIZE ((size_t)64 << 20) /* untouched pages cost nothing */

_Static_assert(sizeof(struct beacon) <= HEAD_SIZE, "the text begins behind one page");

struct beacon *beacon_new(void)
{
	void *memory = mmap(NULL, BEACON_SIZE, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return memory == MAP_FAILED ? NULL : memory;
}

struct beacon *beacon_free(struct beacon *b)
{
	if (b)
		munmap(b, BEACON_SIZE);
	return NULL;
}

uint64_t beacon_now_ms(void)
{
	return clock_ns(CLOCK_MONOTONIC_COARSE) / 1000000;
}

/* /proc/self/schedstat: "12345 678 9", nanoseconds on a processor and in its queue, and turns. */
static uint64_t queued_ms(void)
{
	char text[96];
	struct span rest = { text, fd_text(open("/proc/self/schedstat", O_RDONLY | O_CLOEXEC), text,
					   sizeof(text)) };
	struct span word;
	uint64_t ns = 0;

	if (!span_word(&rest, &word) || !span_word(&rest, &word) || !span_u64(word, &ns))
		return 0;
	return ns / 1000000;
}

bool beacon_past(uint64_t until_ms)
{
	uint64_t now = beacon_now_ms();

	return now > until_ms && now - queued_ms() > until_ms;
}

static void copy_text(char *into, size_t size, const char *text)
{
	size_t n = strlen(text);

	n = n < size ? n : size - 1;
	memcpy(into, text, n);
	into[n] = '\0';
}

void beacon_begin(struct beacon *b, int kind, const char *path)
{
	assert(kind >= 0 && path[0]);
	/* One question at a time, or the wrong one would be called stuck. */
	assert(atomic_load(&b->since_ms) == 0);
	atomic_store(&b->kind, kind);
	copy_text(b->path, sizeof(b->path), path);
	beacon_step(b, path);
}

void beacon_step(struct beacon *b, const char *path)
{
	if (!b)
		return;
	copy_text(b->step, sizeof(b->step), path);
	atomic_store(&b->since_ms, beacon_now_ms());
}

void beacon_again(struct beacon *b)
{
	if (b)
		atomic_store(&b->since_ms, beacon_now_ms());
}

void beacon_end(struct beacon *b)
{
	atomic_store(&b->since_ms, 0);
}

bool beacon_append(struct beacon *b, struct span record, struct span *ret_kept)
{
	size_t used = atomic_load(&b->recorded);
	char *into = (char *)b + HEAD_SIZE + used;

	/* Whole lines: the next record begins with one. */
	assert(record.len > 0 && record.data[record.len - 1] == '\n');
	if (record.len > BEACON_SIZE - HEAD_SIZE - used) {
		atomic_store(&b->full, true);
		return false;
	}
	memcpy(into, record.data, record.len);
	atomic_store(&b->recorded, used + record.len);
	*ret_kept = (struct span){ into, record.len };
	return true;
}

struct span beacon_text(struct beacon *b)
{
	size_t used = atomic_load(&b->recorded);

	return (struct span){ (char *)b + HEAD_SIZE, used < BEACON_SIZE - HEAD_SIZE ? used : 0 };
}
