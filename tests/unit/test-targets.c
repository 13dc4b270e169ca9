#include "targets/targets.h"

#include "check.h"
#include "report/targets.h"

/* A library with so many bundles; "gfx1100 2, gfx942 1". In the arena of the answer. */
static struct targets_row *add(struct targets *t, const char *container, const char *path,
			       enum code_kind kind, unsigned int bundles, const char *list)
{
	struct code *c = arena_alloc(&t->arena, sizeof(*c));
	struct code_target *targets = arena_alloc(&t->arena, 8 * sizeof(*targets));
	struct span rest = span_of(list);
	struct span part;
	struct targets_row *row;

	*c = (struct code){ .kind = kind, .bundles = bundles, .targets = targets };
	c->forms[CODE_PLAIN] = bundles;
	while (span_cut(&rest, ',', &part)) {
		struct code_target *one = &targets[c->target_count++];
		struct span id;
		struct span in;
		uint64_t count = 0;

		span_word(&part, &id);
		span_word(&part, &in);
		span_u64(in, &count);
		memcpy(one->id, id.data, id.len);
		one->in = (unsigned int)count;
	}
	row = targets_add(t, container, path);
	row->code = c;
	return row;
}

static void add_kernels(struct targets *t, const char *path, const char *kind)
{
	static const struct kernels_arch archs[] = { { "gfx1100", 1, 20, 5, 1, 0 },
						     { "gfx1201", 1, 0, 5, 1, 0 } };
	struct kernels *k = arena_alloc(&t->arena, sizeof(*k));

	*k = (struct kernels){ .kind = kind, .files = 32, .archs = archs, .arch_count = 2 };
	targets_add(t, NULL, path)->kernels = k;
}

static const struct targets_row *find(const struct targets *t, const char *path)
{
	for (size_t i = 0; i < t->row_count; i++)
		if (strcmp(t->rows[i].path, path) == 0)
			return &t->rows[i];
	return NULL;
}

static void test_labels(void)
{
	struct targets t = { 0 };

	add(&t, NULL, "a/lib/libx.so", CODE_SHARED_LIBRARY, 1, "gfx1100 1");
	add(&t, NULL, "b/lib/libx.so", CODE_SHARED_LIBRARY, 1, "gfx1100 1");
	add(&t, "w.whl", "lib/liby.so", CODE_SHARED_LIBRARY, 1, "gfx1100 1");
	add(&t, NULL, "libz.so", CODE_SHARED_LIBRARY, 1, "gfx1100 1");
	add(&t, NULL, "a/\x1b[1mlib.so", CODE_SHARED_LIBRARY, 1, "gfx1100 1");
	add(&t, NULL, "a/lib/librocblas.so.5", CODE_SHARED_LIBRARY, 1, "gfx1100 1");
	add_kernels(&t, "a/lib/rocblas/5/library", "rocblas");
	add_kernels(&t, "a/share/miopen/db", "miopen");
	targets_judge(&t);
	CHECK_TEXT(find(&t, "a/lib/libx.so")->label, "a/lib/libx.so"); /* as far as it differs */
	CHECK_TEXT(find(&t, "w.whl/lib/liby.so")->label, "liby.so");
	CHECK_TEXT(find(&t, "libz.so")->label, "libz.so");
	CHECK_TEXT(find(&t, "a/\\x1b[1mlib.so")->label, "\\x1b[1mlib.so");
	CHECK_TEXT(find(&t, "a/lib/rocblas/5/library")->label, "rocblas/5/library");
	CHECK_TEXT(find(&t, "a/lib/rocblas/5/library")->owner->label, "librocblas.so.5");
	CHECK(find(&t, "a/lib/rocblas/5/library") == find(&t, "a/lib/librocblas.so.5") + 1);
	CHECK(find(&t, "a/share/miopen/db")->owner == NULL);
	CHECK_INT(t.verdict, TARGETS_LISTED);
	targets_done(&t);
}

/* Each of these is for one GPU; together they are for both. */
static void test_loose(void)
{
	struct targets t = { 0 };
	const struct targets_row *row;

	targets_require(&t, "gfx1100");
	targets_require(&t, "gfx942");
	targets_require(&t, "gfx942");
	add(&t, NULL, "hsa/gfx942/a.co", CODE_OBJECT, 1, "gfx942 1");
	add(&t, NULL, "hsa/gfx1100/a.co", CODE_OBJECT, 1, "gfx1100 1");
	add(&t, NULL, "aot/k1/k.hsaco", CODE_OBJECT, 1, "gfx942 1");
	add(&t, NULL, "aot/k2/k.hsaco", CODE_OBJECT, 1, "gfx1100 1");
	add(&t, NULL, "alone/b.co", CODE_BUNDLE, 1, "gfx1100 1, gfx942 1");
	targets_judge(&t);
	CHECK_INT(t.device_count, 2);
	row = find(&t, "hsa");
	CHECK(row && row->kernels && row->judged && row->kernels->files == 2);
	CHECK(find(&t, "aot") && find(&t, "aot")->kernels);
	CHECK(!find(&t, "hsa/gfx942/a.co")->judged);
	CHECK(find(&t, "alone/b.co")->judged);
	CHECK_INT(t.judged, 3);
	CHECK_INT(t.verdict, TARGETS_COVERED);
	CHECK_INT(targets_exit_status(&t), 0);
	targets_done(&t);

	/* One that the user named is judged by itself. */
	targets_require(&t, "gfx1100");
	add(&t, NULL, "hsa/a.co", CODE_OBJECT, 1, "gfx942 1")->named = true;
	add(&t, NULL, "hsa/b.co", CODE_OBJECT, 1, "gfx1100 1")->named = true;
	targets_judge(&t);
	CHECK_INT(t.devices[0].lacking, 1);
	CHECK_INT(targets_exit_status(&t), 2);
	targets_done(&t);
}

static const struct {
	const char *require;
	const char *targets;
	bool unread, if_any;
	enum targets_verdict want;
	const char *why;
} verdicts[] = {
	{ NULL, "gfx1100 2", false, false, TARGETS_LISTED, "nothing was required" },
	{ NULL, "gfx1100 2", true, false, TARGETS_UNDECIDED, "and something could not be read" },
	{ "gfx1100", "gfx1100 2", false, false, TARGETS_COVERED, "" },
	{ "gfx1100", "gfx1100 1", false, false, TARGETS_NOT_COVERED, "in part" },
	{ "gfx1100", "gfx1100 2", true, false, TARGETS_UNDECIDED, "what was not read may lack it" },
	{ "gfx1100", "gfx1100 1", true, false, TARGETS_NOT_COVERED,
	  "what was not read does not mend it" },
	{ "gfx1100", NULL, false, false, TARGETS_NOT_COVERED, "no device code at all" },
	{ "gfx1100", NULL, true, false, TARGETS_UNDECIDED,
	  "the code may be where we could not look" },
	{ "gfx1100", NULL, false, true, TARGETS_LISTED, "no device code, and that is allowed" },
	{ "gfx1100", NULL, true, true, TARGETS_UNDECIDED, "what was not read may have some" },
	{ "gfx1100", "gfx1100 1", false, true, TARGETS_NOT_COVERED, "what has some must have it" },
};

static void test_verdicts(void)
{
	for (size_t i = 0; i < sizeof(verdicts) / sizeof(verdicts[0]); i++) {
		struct targets t = { .if_any = verdicts[i].if_any };

		if (verdicts[i].require)
			targets_require(&t, verdicts[i].require);
		if (verdicts[i].targets)
			add(&t, NULL, "lib.so", CODE_SHARED_LIBRARY, 2, verdicts[i].targets);
		if (verdicts[i].unread)
			targets_unread(&t, "other.so", "Permission denied");
		targets_judge(&t);
		if (!CHECK(t.verdict == verdicts[i].want))
			printf("  %zu %s: %s\n", i, verdicts[i].why,
			       targets_verdict_name(t.verdict));
		targets_done(&t);
	}
}

static const char *text_of(struct targets *t, size_t width, struct buf *out)
{
	struct page p = { .out = out, .width = width };

	targets_judge(t);
	buf_clear(out);
	targets_text(t, &p, false);
	return out->data;
}

static void test_text(void)
{
	struct buf out BUF_SCOPED = { 0 };
	struct targets t = { 0 };

	targets_require(&t, "gfx1201");
	targets_require(&t, "gfx1100");
	add(&t, NULL, "lib/librocblas.so.5", CODE_SHARED_LIBRARY, 64, "gfx1100 64, gfx1201 63");
	add_kernels(&t, "lib/rocblas/library", "rocblas");
	CHECK_TEXT(text_of(&t, 100, &out),
		   "                   gfx1100  gfx1201\n"
		   "librocblas.so.5      ok       !!     gfx1201 in 63 of 64 bundles\n"
		   "  rocblas/library    ok        ~     gfx1201: fallback kernels only\n"
		   "ok gfx1100 is covered by all 2 libraries\n"
		   "!! 1 of 2 libraries lack code for gfx1201\n");
	targets_done(&t);

	/* Too narrow for remarks: they stand below. */
	targets_require(&t, "gfx1100");
	add(&t, NULL, "lib/libx.so", CODE_SHARED_LIBRARY, 64, "gfx1100 63");
	targets_nothing(&t, "libnone.so", "no device code");
	CHECK_TEXT(text_of(&t, 40, &out), "         gfx1100\n"
					  "libx.so    !!\n"
					  "    gfx1100 in 63 of 64 bundles\n"
					  "-  libnone.so: no device code\n"
					  "!! 1 of 1 libraries lack code for\n   gfx1100\n");
	targets_done(&t);

	/* More targets than columns: a list. */
	add(&t, NULL, "lib/libx.so", CODE_SHARED_LIBRARY, 2,
	    "gfx1030 2, gfx1100 2, gfx1200 1, gfx803 2, gfx906 2, gfx90a 2");
	CHECK_TEXT(text_of(&t, 60, &out),
		   "libx.so  2 bundles\n"
		   "    gfx803 gfx906 gfx90a gfx1030 gfx1100 gfx1200 (1 of 2)\n");
	targets_done(&t);
}

int main(void)
{
	test_labels();
	test_loose();
	test_verdicts();
	test_text();
	return check_end();
}
