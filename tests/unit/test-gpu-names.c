#include "kb/gpu-names.h"

#include <string.h>

#include "base/array.h"
#include "check.h"
#include "facts/facts.h"
#include "kb/kb.h"

/* With the knowledge that the program carries. */
static struct facts *with_knowledge(struct buf *keep)
{
	struct facts *f = facts_new();
	struct kb_info info;
	struct span bytes;

	CHECK(kb_read(NULL, keep, &bytes) == 0);
	CHECK(kb_attach(facts_db(f), bytes, &info) == 0);
	facts_end(f);
	return f;
}

static const struct {
	const char *asked;
	enum gpu_names_answer answer;
	const char *gfx; /* of the first */
} asked[] = {
	{ "gfx1100", GPU_NAMES_ONE, "gfx1100" },
	{ "GFX90A", GPU_NAMES_ONE, "gfx90a" },
	{ "7900 xtx", GPU_NAMES_ONE, "gfx1100" },
	{ "AMD Radeon RX 7900 XT", GPU_NAMES_ONE, "gfx1100" },
	{ "7900xtx", GPU_NAMES_ONE, "gfx1100" },
	{ "Strix Halo", GPU_NAMES_ONE, "gfx1151" },
	{ "8060S", GPU_NAMES_ONE, "gfx1151" },
	{ "MI300X", GPU_NAMES_ONE, "gfx942" },
	{ "rx 6700 xt", GPU_NAMES_ONE, "gfx1031" },
	{ "780M", GPU_NAMES_ONE, "gfx1103" },
	{ "Ryzen AI Max 395", GPU_NAMES_ONE, "gfx1151" },
	{ "steam deck", GPU_NAMES_ONE, "gfx1033" },
	{ "rx 580", GPU_NAMES_ONE, "gfx803" },
	{ "840M", GPU_NAMES_SEVERAL, "gfx1152" }, /* sold with both */
	{ "7950 xtx", GPU_NAMES_NONE, "gfx1100" },
	{ "Instinct MI301X", GPU_NAMES_NONE, "gfx942" },
	{ "Radeon 8090S", GPU_NAMES_NONE, "gfx1151" },
	{ "Banana 9000", GPU_NAMES_NONE, NULL }, /* its digits are in W6900X */
	{ "geforce 4090", GPU_NAMES_NONE, NULL },
	{ "radeon", GPU_NAMES_NONE, NULL },
	{ "", GPU_NAMES_NONE, NULL },
};

static void test_asked(sqlite3 *db)
{
	for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++) {
		struct gpu_named *found;
		struct arena a = { 0 };
		size_t count;

		CHECK_INT(gpu_names_find(db, &a, asked[i].asked, &found, &count), asked[i].answer);
		CHECK(!asked[i].gfx == (count == 0));
		if (asked[i].gfx && count > 0)
			CHECK_TEXT(found[0].gfx, asked[i].gfx);
		arena_done(&a);
	}
}

static const struct {
	const char *text;
	const char *gfx; /* NULL: none is said */
	bool integrated;
} said[] = {
	{ "RX 7900XTX", "gfx1100", false },
	{ "two 7900-XTX in one box", "gfx1100", false },
	{ "a laptop with 780M", "gfx1103", true },
	{ "MI250X", "gfx90a", false }, /* and not MI25 */
	{ "Ryzen AI Max+ 395", "gfx1151", true },
	{ "gfx1100", NULL, false }, /* a target is no name */
	{ "geforce 4090", NULL, false },
	{ "", NULL, false },
};

static void test_said(sqlite3 *db)
{
	for (size_t i = 0; i < COUNT(said); i++) {
		struct arena a = { 0 };
		struct gpu_said found;
		bool any = gpu_names_said(db, &a, span_of(said[i].text), &found);

		if (!CHECK(any == (said[i].gfx != NULL)))
			printf("  %s\n", said[i].text);
		if (any) {
			CHECK_TEXT(arena_text(&a, found.gfx), said[i].gfx);
			CHECK_INT(found.integrated, said[i].integrated);
		}
		arena_done(&a);
	}
}

int main(void)
{
	struct buf keep = { 0 };
	struct facts *f = with_knowledge(&keep);

	test_asked(facts_db(f));
	test_said(facts_db(f));
	facts_free(f);
	buf_done(&keep);
	return check_end();
}
