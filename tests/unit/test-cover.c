#include "targets/cover.h"

#include "check.h"

/* "2: gfx1100 2, gfx90a:xnack- 1" for two bundles. */
struct made {
	struct code code;
	struct code_target targets[8];
	const char *problems[8];
};

static struct code *make(struct made *m, unsigned int bundles, const char *list)
{
	struct span rest = span_of(list);
	struct span part;

	*m = (struct made){ 0 };
	m->code.kind = CODE_SHARED_LIBRARY;
	m->code.bundles = bundles;
	m->code.forms[CODE_PLAIN] = bundles;
	m->code.targets = m->targets;
	while (span_cut(&rest, ',', &part)) {
		struct code_target *t = &m->targets[m->code.target_count++];
		struct span id;
		struct span in;
		uint64_t count = 0;

		span_word(&part, &id);
		span_word(&part, &in);
		span_u64(in, &count);
		memcpy(t->id, id.data, id.len);
		t->in = (unsigned int)count;
	}
	return &m->code;
}

static void add_problems(struct made *m, size_t count)
{
	m->code.problems = m->problems;
	for (; m->code.problem_count < count; m->code.problem_count++)
		m->problems[m->code.problem_count] = "a sentence";
}

static const struct {
	unsigned int bundles;
	const char *targets;
	size_t problems;
	const char *device;
	enum cover want;
	enum runs how;
	const char *why;
} cases[] = {
	{ 2, "gfx1100 2", 0, "gfx1100", COVER_ALL, RUNS_EXACT, "every bundle" },
	{ 64, "gfx1100 63", 0, "gfx1100", COVER_PART, RUNS_EXACT, "one source file was forgotten" },
	{ 2, "gfx1100 2", 0, "gfx1151", COVER_NONE, RUNS_NOT, "another GPU" },
	{ 1, "gfx11-generic 1", 0, "gfx1151", COVER_ALL, RUNS_GENERIC, "the family's" },
	{ 1, "gfx11-generic 1, gfx1100 1", 0, "gfx1100", COVER_ALL, RUNS_EXACT, "exact is better" },
	{ 1, "amdgcnspirv 1", 0, "gfx1100", COVER_ALL, RUNS_SPIRV, "compiled when it is loaded" },
	{ 1, "gfx90a:xnack+ 1", 0, "gfx90a:sramecc+:xnack-", COVER_NONE, RUNS_NOT,
	  "xnack differs" },
	{ 1, "gfx90a:xnack+ 1", 0, "gfx90a", COVER_ALL, RUNS_EXACT, "no features were asked for" },
	{ 2, "gfx90a:xnack+ 2, gfx90a:xnack- 2", 0, "gfx90a", COVER_ALL, RUNS_EXACT,
	  "both in both" },
	{ 2, "gfx11-generic 1, gfx1100 1", 0, "gfx1100", COVER_UNKNOWN, RUNS_EXACT,
	  "in one bundle each, or both in one: the counts do not tell" },
	{ 3, "gfx11-generic 1, gfx1100 1", 0, "gfx1100", COVER_PART, RUNS_EXACT,
	  "however they lie, one is left" },
	{ 2, "gfx1100 2", 1, "gfx1100", COVER_UNKNOWN, RUNS_EXACT, "what is broken may lack it" },
	{ 3, "gfx1100 2", 1, "gfx1100", COVER_UNKNOWN, RUNS_EXACT, "the third is the broken one" },
	{ 9, "gfx1100 2", 1, "gfx1100", COVER_PART, RUNS_EXACT, "one broken does not hide seven" },
	{ 0, "", 0, "gfx1100", COVER_NONE, RUNS_NOT, "no code" },
	{ 0, "", 1, "gfx1100", COVER_UNKNOWN, RUNS_NOT, "a file that could not be read" },
};

static void test_code(void)
{
	struct made m;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct cover_cell cell;

		make(&m, cases[i].bundles, cases[i].targets);
		add_problems(&m, cases[i].problems);
		cell = cover_code(&m.code, span_of(cases[i].device), true);
		if (!CHECK(cell.cover == cases[i].want && cell.how == cases[i].how))
			printf("  %s: %s\n", cases[i].why, cover_name(cell.cover));
	}
}

static void test_kpack(void)
{
	struct made m;
	struct code_archive archives[] = { { "a", true, 2 }, { "b", true, 0 } };
	struct code *c = make(&m, 3, "gfx1100 1, gfx942 2");

	c->forms[CODE_KPACKED] = 3;
	c->forms[CODE_PLAIN] = 0;
	c->kpack_name = "lib/libx.so";
	c->archives = archives;
	c->archive_count = 1;
	CHECK_INT(cover_code(c, SPAN_LITERAL("gfx942"), true).cover,
		  COVER_ALL); /* 2 of 2, not of 3 */
	CHECK_INT(cover_code(c, SPAN_LITERAL("gfx1100"), true).cover, COVER_PART);

	/* Empty for it: said as a problem, and hides nothing. */
	c->archive_count = 2;
	add_problems(&m, 1);
	CHECK_INT(cover_code(c, SPAN_LITERAL("gfx942"), true).cover, COVER_ALL);
	CHECK_INT(cover_hiding(c), 0);

	/* Missing: in a tree that is all; in a wheel another may bring it. */
	make(&m, 0, "");
	archives[0] = (struct code_archive){ "a_@GFXARCH@.kpack", false, 0 };
	c->kpack_name = "lib/libx.so";
	c->archives = archives;
	c->archive_count = 1;
	add_problems(&m, 1);
	CHECK_INT(cover_code(c, SPAN_LITERAL("gfx942"), true).cover, COVER_NONE);
	CHECK_INT(cover_code(c, SPAN_LITERAL("gfx942"), false).cover, COVER_UNKNOWN);
}

static void test_kernels(void)
{
	static const struct kernels_arch archs[] = {
		{ "gfx1100", 1, 20, 55, 2, 0, false },     { "gfx1201", 1, 0, 55, 2, 0, false },
		{ "gfx11xx", 1, 9, 0, 0, 0, false },       { "gfx906", 1, 0, 0, 3, 0, false },
		{ "gfx90a:xnack-", 1, 5, 0, 0, 0, false }, { "gfx950", 0, 5, 5, 1, 0, false },
		{ "gfx1030", 1, 20, 55, 2, 3, false },     { "gfx1010", 1, 0, 0, 0, 3, false },
		{ "gfx1101", 0, 20, 55, 2, 0, true },
	};
	static const struct {
		const char *kind;
		const char *device;
		enum cover want;
	} rows[] = {
		{ "rocblas", "gfx1100", COVER_ALL },
		{ "rocblas", "gfx1201", COVER_FALLBACK },
		{ "rocblas", "gfx1151", COVER_ALL }, /* by the family's name */
		{ "rocblas", "gfx942", COVER_NONE },
		{ "rocblas", "gfx906", COVER_NONE }, /* helpers alone multiply nothing */
		{ "rocblas", "gfx90a", COVER_ALL },
		{ "rocblas", "gfx90a:xnack+", COVER_NONE },
		{ "rocblas", "gfx950", COVER_NONE },  /* code, and no index that leads to it */
		{ "rocblas", "gfx1030", COVER_PART }, /* an index that names what is not there */
		{ "rocblas", "gfx1010", COVER_NONE },
		{ "rocblas", "gfx1101", COVER_UNKNOWN }, /* its index could not be read */
		{ "aotriton", "gfx950", COVER_ALL },     /* which has no index */
		{ "miopen", "gfx942", COVER_SLOWER },
		{ "miopen", "gfx906", COVER_ALL },
		{ "triton-cache", "gfx942", COVER_SLOWER },
		{ "aotriton", "gfx942", COVER_NONE },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct kernels k = { .kind = rows[i].kind,
				     .files = 99,
				     .archs = archs,
				     .arch_count = sizeof(archs) / sizeof(archs[0]) };

		CHECK_TEXT(cover_name(cover_kernels(&k, span_of(rows[i].device)).cover),
			   cover_name(rows[i].want));
	}
}

static void test_order(void)
{
	static const char *const sorted[] = { "gfx803",        "gfx900",     "gfx90a",
					      "gfx90a:xnack+", "gfx942",     "gfx9-4-generic",
					      "gfx9-generic",  "gfx1030",    "gfx10-3-generic",
					      "gfx1100",       "gfx1151",    "gfx11-generic",
					      "gfx1201",       "amdgcnspirv" };

	for (size_t i = 0; i + 1 < sizeof(sorted) / sizeof(sorted[0]); i++) {
		CHECK(cover_order(sorted[i], sorted[i + 1]) < 0);
		CHECK(cover_order(sorted[i + 1], sorted[i]) > 0);
	}
	CHECK_INT(cover_order("gfx90a", "gfx90a"), 0);
}

int main(void)
{
	test_code();
	test_kpack();
	test_kernels();
	test_order();
	return check_end();
}
