/* Knowledge that is measured on its own sources is refused. */

#include "check-kb.h"

/* Of "rocm/hip#12", by sha256sum; and of nothing. */
#define SEEN "says: those two\nthreads: [\"fa9ac8fb35cb3b4c\", \"0000000000000000\"]\n"

static const char signatures[] = "signatures: hip\n"
				 "list:\n"
				 "  - id: it-failed\n"
				 "    kind: failure\n"
				 "    says: it failed\n"
				 "    literals: [\"it failed badly\"]\n"
				 "    suggests: {too-hot: 3}\n"
				 "    examples: [\"it failed badly\"]\n"
				 "    sources:\n"
				 "      - {class: reporter, ref: \"REF\"}\n";

static const char defects[] =
	"defects: hip\n"
	"list:\n"
	"  - {id: hip-9-fails, component: hip, cause: too-hot, title: T,\n"
	"     cure: C, cures: [set-env], when: {rocm: \"9.0 ..\"}, source: \"REF\"}\n";

static const struct {
	const char *why, *file, *text, *ref;
	bool good;
} cases[] = {
	{ "a thread that was seen", "signatures/hip.yaml", signatures, "ROCm/HIP#12", false },
	{ "by its address", "signatures/hip.yaml", signatures,
	  "https://github.com/ROCm/hip/issues/12", false },
	{ "another number", "signatures/hip.yaml", signatures, "ROCm/hip#123", true },
	{ "another repository", "signatures/hip.yaml", signatures, "ROCm/hipx#12", true },
	{ "a second source", "signatures/hip.yaml", signatures, "ROCm/hip#12; hip_error.cpp",
	  true },
	{ "a second thread", "signatures/hip.yaml", signatures, "ROCm/hip#12, ROCm/hip#13", true },
	{ "the program itself", "signatures/hip.yaml", signatures, "ROCm/clr@f9f995c6 hip.cpp",
	  true },
	{ "a defect", "defects/hip.yaml", defects, "https://github.com/ROCm/hip/pull/12", false },
	{ "a defect with more", "defects/hip.yaml", defects, "ROCm/hip#12; release notes", true },
};

static void check_case(size_t i)
{
	char *text = spoil(cases[i].text, "REF", cases[i].ref);
	struct compile_file files[] = {
		{ "VERSION", span_of(KB_VERSION) },
		{ "causes/too-hot.yaml", span_of(KB_CAUSE) },
		{ "remedies/cool-it.yaml", span_of(KB_REMEDY) },
		{ "seen.yaml", span_of(SEEN) },
		{ cases[i].file, span_of(text) },
	};
	struct faults faults = { 0 };
	struct buf db = { 0 };
	int r = compile(files, 5, &faults, &db);

	if (!CHECK(r == (cases[i].good ? 0 : -EBADMSG)) ||
	    !CHECK(cases[i].good || strstr(faults.text.data, "threads that it is measured on")))
		printf("  %s: %s\n", cases[i].why,
		       faults.text.data ? faults.text.data : "no fault");
	buf_done(&db);
	buf_done(&faults.text);
	free(text);
}

/* What is no list of threads. */
static void forms(void)
{
	static const char *const bad[] = {
		"says: x\nthreads: [\"0d7e\"]\n", "says: x\nthreads: [\"0D7E2C8B8A4FD1A1\"]\n",
		"says: x\nthreads: [\"0000000000000000\", \"0000000000000000\"]\n", "threads: []\n"
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct compile_file files[] = { { "VERSION", span_of(KB_VERSION) },
						{ "causes/too-hot.yaml", span_of(KB_CAUSE) },
						{ "remedies/cool-it.yaml", span_of(KB_REMEDY) },
						{ "seen.yaml", span_of(bad[i]) } };
		struct faults faults = { 0 };
		struct buf db = { 0 };

		CHECK(compile(files, 4, &faults, &db) == -EBADMSG);
		buf_done(&db);
		buf_done(&faults.text);
	}
}

int main(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		check_case(i);
	forms();
	return check_end();
}
