#include "parse/msgpack.h"

#include <errno.h>
#include <string.h>

#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint64_t members(const struct msgpack_item *item)
{
	if (item->type == MSGPACK_ARRAY)
		return item->number;
	return item->type == MSGPACK_MAP ? 2 * item->number : 0;
}

/* Value by value: each moves on, text is that of the input, and members have room in it. */
static int walk(struct source *s, struct span input, uint64_t *ret_at)
{
	struct msgpack m;
	struct msgpack_item item;
	uint64_t before = 0, owed = 1, follow;
	int r = 0;

	msgpack_init(&m, s, 0, UINT64_MAX);
	while (owed > 0 && owed <= input.len - m.at && r == 0) {
		r = msgpack_next(&m, &item);
		if (r < 0)
			break;
		must(m.at > before && m.at <= input.len);
		must(item.text.len <= MSGPACK_TEXT_MAX && item.text.len <= item.number);
		if (item.type == MSGPACK_STR && item.text.len > 0)
			must(memcmp(item.text.data, input.data + (m.at - item.number),
				    item.text.len) == 0);
		before = m.at;
		follow = members(&item);
		must(follow <= input.len - m.at);
		owed += follow - 1;
	}
	*ret_at = m.at;
	return r < 0 || owed > 0 ? -EBADMSG : 0;
}

/* Passing over a value ends where going through it ends, and fails when that fails. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span input = { (const char *)data, size };
	struct source s = source_memory(input);
	struct msgpack m;
	uint64_t at;
	int walked = walk(&s, input, &at), skipped;

	msgpack_init(&m, &s, 0, UINT64_MAX);
	skipped = msgpack_skip(&m);
	must((walked == 0) == (skipped == 0));
	must(skipped < 0 || m.at == at);
	must(m.items <= size + 1);
	return 0;
}
