#include "door/beacon.h"

#include <stdlib.h>

#include "check-span.h"

static void check_steps(struct beacon *b)
{
	char path[4000];

	CHECK(atomic_load(&b->since_ms) == 0);
	beacon_begin(b, 3, "/a");
	CHECK(atomic_load(&b->since_ms) != 0 && atomic_load(&b->kind) == 3);
	CHECK_TEXT(b->path, "/a");
	CHECK_TEXT(b->step, "/a");
	beacon_step(b, "/b");
	CHECK_TEXT(b->path, "/a");
	CHECK_TEXT(b->step, "/b");
	beacon_end(b);
	CHECK(atomic_load(&b->since_ms) == 0);

	memset(path, 'x', sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	beacon_begin(b, 0, path); /* cut, and still a text */
	CHECK(strlen(b->path) == sizeof(b->path) - 1 && strlen(b->step) == sizeof(b->step) - 1);
	beacon_end(b);
}

static void check_room(struct beacon *b)
{
	static char block[1 << 20];
	struct span kept = { NULL, 0 };
	int blocks = 0;

	block[sizeof(block) - 1] = '\n';
	CHECK_SPAN(beacon_text(b), "");
	CHECK(beacon_append(b, SPAN_LITERAL("one\n"), &kept));
	CHECK(beacon_append(b, SPAN_LITERAL("two\n"), &kept));
	CHECK_SPAN(kept, "two\n");
	CHECK_SPAN(beacon_text(b), "one\ntwo\n");
	while (blocks < 100 && beacon_append(b, (struct span){ block, sizeof(block) }, &kept))
		blocks++;
	CHECK(blocks > 32 && blocks < 64 && atomic_load(&b->full));
	CHECK(beacon_append(b, SPAN_LITERAL("x\n"), &kept)); /* what still fits is kept */
	CHECK(beacon_text(b).len == 10 + (size_t)blocks * sizeof(block));
}

int main(void)
{
	struct beacon *b = beacon_new();

	if (!CHECK(b))
		return check_end();
	check_steps(b);
	check_room(b);
	CHECK(beacon_free(b) == NULL && beacon_free(NULL) == NULL);
	return check_end();
}
