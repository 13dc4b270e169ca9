#include "kb/gpu-names.h"

#include <string.h>

#include "base/array.h"
#include "check-knowledge.h"

static const struct {
	const char *asked;
	enum gpu_names_answer answer;
	const char *gfx; /* of the first */
} asked[] = {
	{ "gfx1100", GPU_NAMES_ONE, "gfx1100" },
	{ "GFX90A", GPU_NAMES_ONE, "gfx90a" },
	{ "7900 xtx", GPU_NAMES_ONE, "gfx1100" },
	{ "RX 7900 XTX 24GB", GPU_NAMES_ONE, "gfx1100" },
	{ "rx 6600 8 GB", GPU_NAMES_ONE, "gfx1032" },
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
	{ "5600G", GPU_NAMES_ONE, "gfx90c" },
	{ "Ryzen 5 5600G", GPU_NAMES_ONE, "gfx90c" },
	{ "AMD Ryzen 7 5700G", GPU_NAMES_ONE, "gfx90c" },
	{ "2400g", GPU_NAMES_ONE, "gfx902" },
	{ "5500U", GPU_NAMES_ONE, "gfx90c" },
	{ "6800H", GPU_NAMES_ONE, "gfx1035" },
	{ "7840HS", GPU_NAMES_ONE, "gfx1103" },
	{ "Ryzen 7 8845HS", GPU_NAMES_ONE, "gfx1103" },
	{ "8700G", GPU_NAMES_ONE, "gfx1103" },
	{ "Z1 Extreme", GPU_NAMES_ONE, "gfx1103" },
	{ "HX 370", GPU_NAMES_ONE, "gfx1150" },
	{ "Ryzen 9 7950X", GPU_NAMES_ONE, "gfx1036" },
	{ "7900", GPU_NAMES_ONE, "gfx1100" },      /* and not the processor of that number */
	{ "Vega 8", GPU_NAMES_SEVERAL, "gfx902" }, /* of a 2400G and of a 5700G */
	{ "Vega 11", GPU_NAMES_ONE, "gfx902" },
	{ "5950X", GPU_NAMES_NONE, NULL }, /* has no GPU */
	{ "5601G", GPU_NAMES_NONE, NULL }, /* no processor is offered for one written alike */
	{ "Ryzen 5 5650X", GPU_NAMES_NONE, NULL },
	{ "7640H", GPU_NAMES_NONE, NULL },
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
	{ "Device 0: AMD Radeon RX 6800M, gfx1031", "gfx1031", false },
	{ "AMD Radeon RX 6700S", "gfx1032", false },
	{ "AMD Radeon RX 6800 XT", "gfx1030", false },
	{ "RX 7900XTX", "gfx1100", false },
	{ "RX 580 8GB", "gfx803", false }, /* its memory is no part of the number */
	{ "two 7900-XTX in one box", "gfx1100", false },
	{ "a laptop with 780M", "gfx1103", true },
	{ "MI250X", "gfx90a", false }, /* and not MI25 */
	{ "Ryzen AI Max+ 395", "gfx1151", true },
	{ "AMD Ryzen 7 8845HS w/ Radeon 780M Graphics", "gfx1103", true },
	{ "Ryzen 5 5600G", "gfx90c", true },
	{ "AMD Ryzen 5 5600G with Radeon Graphics", "gfx90c", true },
	{ "RX 7900 XTX in a box with a Ryzen 9 7950X", "gfx1100", false }, /* the card */
	{ "Vega 8", NULL, false },                                         /* two of them */
	{ "gfx1100", NULL, false },                                        /* a target is no name */
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
