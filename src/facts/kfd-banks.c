#include "facts/kfd-banks.h"

#include "door/standing.h"
#include "parse/keyvals.h"

#define BANKS_MAX 64

struct banks {
	uint64_t bytes;
	bool visible; /* all of it */
};

static int read_banks(struct collect *c, const char *dir, uint64_t count, struct banks *b,
		      const char **ret_at)
{
	uint64_t heap, size;
	struct span text;
	int r = 0;

	*ret_at = arena_format(&c->arena, "%s/mem_banks", dir);
	if (count > BANKS_MAX)
		return -EFBIG;
	for (uint64_t i = 0; i < count && r == 0; i++) {
		*ret_at =
			arena_format(&c->arena, "%s/mem_banks/%u/properties", dir, (unsigned int)i);
		r = root_read(c->root, *ret_at, &text);
		if (r == 0 &&
		    (!keyvals_u64(text, "heap_type", &heap) ||
		     !keyvals_u64(text, "size_in_bytes", &size) || size > INT64_MAX - b->bytes))
			r = -EBADMSG;
		/* 1 is memory of the GPU that the host can reach, 2 that it cannot; others are not its. */
		if (r == 0 && (heap == 1 || heap == 2)) {
			b->bytes += size;
			b->visible &= heap == 1;
		}
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
