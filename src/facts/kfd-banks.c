#include "facts/kfd-banks.h"

#include "door/standing.h"
#include "parse/keyvals.h"

#define BANKS_MAX 64

struct banks {
	uint64_t bytes;
	bool visible; /* all of it */
};

/* Heap type 1 is memory of the GPU that the host can reach, 2 that it cannot; others are not its. */
static int add_bank(struct span text, struct banks *b)
{
	uint64_t heap, size;

	if (!keyvals_u64(text, "heap_type", &heap) || !keyvals_u64(text, "size_in_bytes", &size) ||
	    size > INT64_MAX - b->bytes)
		return -EBADMSG;
	if (heap == 1 || heap == 2) {
		b->bytes += size;
		b->visible &= heap == 1;
	}
	return 0;
}

static int read_banks(struct collect *c, const char *dir, uint64_t count, struct banks *b,
		      const char **ret_at)
{
	struct span text;
	int r = 0;

	*ret_at = arena_format(&c->arena, "%s/mem_banks", dir);
	for (uint64_t i = 0; i < count && i < BANKS_MAX && r == 0; i++) {
		*ret_at =
			arena_format(&c->arena, "%s/mem_banks/%u/properties", dir, (unsigned int)i);
		r = root_read(c->root, *ret_at, &text);
		if (r == 0)
			r = add_bank(text, b);
	}
	return r == 0 && b->bytes == 0 ? -ENOENT : r;
}

void kfd_banks_collect(struct collect *c, struct row *r, const char *subject, const char *dir,
		       uint64_t count)
{
	struct banks b = { .visible = true };
	const char *at;
	int error = read_banks(c, dir, count, &b, &at);

	if (error < 0) {
		facts_gap(c->facts, "agent.memory_bytes", subject, error, at);
		facts_gap(c->facts, "agent.memory_visible", subject, error, at);
		return;
	}
	row_u64(r, "memory_bytes", b.bytes);
	row_int(r, "memory_visible", b.visible);
}
