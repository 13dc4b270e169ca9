#include <errno.h>

#include "code/gather.h"
#include "parse/offload-binary.h"
#include "parse/target-id.h"

static uint64_t place_up(uint64_t at)
{
	return (at + 7) & ~(uint64_t)7;
}

static void add_images(struct gather *g, struct span head, const struct offload_binary *b,
		       uint64_t at)
{
	struct offload_entry entry;
	struct target_id target;
	char text[TARGET_ID_MAX];
	int r;

	for (uint64_t i = 0; (r = offload_binary_entry(head, b, i, &entry)) == 0; i++) {
		if (!target_id_parse(entry.arch, &target))
			continue; /* "generic", or an entry of metadata alone */
		target_id_write(&target, text);
		gather_target(g, text);
	}
	if (r != -ENOENT)
		gather_problem(g, "offload binary at 0x%llx: its tables lie behind its end",
			       (unsigned long long)at);
	if (b->compressed)
		gather_problem(g, "offload binary at 0x%llx: compressed, not read",
			       (unsigned long long)at);
}

void gather_offloaded(struct gather *g, struct source *s)
{
	uint64_t at = 0;

	while (at < s->size) {
		unsigned long long place = gather_place(s, at);
		struct offload_binary b;
		struct span head;
		int64_t got;

		buf_clear(&g->window);
		buf_room(&g->window, OFFLOAD_BINARY_HEAD);
		got = source_some(s, at, g->window.data, OFFLOAD_BINARY_HEAD);
		head = (struct span){ g->window.data, got < 0 ? 0 : (size_t)got };
		if (offload_binary_parse(head, &b) < 0 || b.size > s->size - at) {
			gather_problem(g, "offload binary at 0x%llx: broken or cut", place);
			return;
		}
		if (!gather_bundle(g, CODE_OFFLOADED))
			return;
		add_images(g, head, &b, place);
		at = place_up(at + b.size);
	}
}
