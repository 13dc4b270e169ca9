/* Knowledge that names a thread which measures it is refused. */

#include "check-kb.h"

/* Of "rocm/hip#12" and "rocm/old#7", by sha256sum. */
#define HIP_12 "fa9ac8fb35cb3b4ca79ed7c7683954104e86d85212991b305b3b26db297bbd69"
#define OLD_7  "4101cab03ea80eb439f3e2fc476be9f57f2b015c633b6b8995b0742553c57704"
#define UNSEEN                                                                                \
	"says: those two\nrenamed:\n  rocm/new: rocm/old\nthreads: [\"" HIP_12 "\", \"" OLD_7 \
	"\"]\n"

static const struct {
	const char *why, *remark;
	bool good;
} cases[] = {
	{ "a thread of the list", "ROCm/HIP#12", false },
	{ "by its address", "see https://github.com/ROCm/hip/issues/12", false },
	{ "as a pull request", "https://github.com/rocm/hip/pull/12, and more", false },
	{ "by the later name of its repository", "ROCm/new#7", false },
	{ "the second of two", "ROCm/hip#13, ROCm/hip#12", false },
	{ "another number", "ROCm/hip#123", true },
	{ "another repository", "ROCm/hipx#12", true },
	{ "no number", "ROCm/hip#", true },
	{ "no repository", "see #12", true },
};

/* The remark is a comment before a good remedy: comments are read, too. */
static int compile_with(const char *unseen, const char *remark, struct faults *faults)
{
	char *remedy = spoil("# REF\n" KB_REMEDY, "REF", remark);
	struct compile_file files[] = {
		{ "VERSION", span_of(KB_VERSION) },
		{ "causes/too-hot.yaml", span_of(KB_CAUSE) },
		{ "remedies/cool-it.yaml", span_of(remedy) },
		{ "unseen.yaml", span_of(unseen) },
	};
	struct buf db = { 0 };
	int r = compile(files, 4, faults, &db);

	buf_done(&db);
	free(remedy);
	return r;
}

static void check_case(size_t i)
{
	struct faults faults = { 0 };
	int r = compile_with(UNSEEN, cases[i].remark, &faults);

	if (!CHECK(r == (cases[i].good ? 0 : -EBADMSG)) ||
	    !CHECK(cases[i].good || strstr(faults.text.data, "cool-it.yaml:1: ")) ||
	    !CHECK(cases[i].good || strstr(faults.text.data, "stays unread")))
		printf("  %s: %s\n", cases[i].why,
		       faults.text.data ? faults.text.data : "no fault");
	buf_done(&faults.text);
}

/* What is no list of threads. */
static void forms(void)
{
	static const char *const bad[] = {
		"says: x\nthreads: [\"0d7e\"]\n",
		"says: x\nthreads: [\"" HIP_12 "\", \"" HIP_12 "\"]\n",
		"says: x\nrenamed: {a/b: [c/d]}\nthreads: [\"" HIP_12 "\"]\n",
		"threads: []\n",
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct faults faults = { 0 };

		CHECK(compile_with(bad[i], "nothing", &faults) == -EBADMSG);
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
