#include "probe/environment.h"

#include "check-span.h"

static const char *get(char **env, const char *name)
{
	const char *found = NULL;
	size_t len = strlen(name);

	for (; *env; env++)
		if (strncmp(*env, name, len) == 0 && (*env)[len] == '=') {
			CHECK(!found); /* a name has one value */
			found = *env + len + 1;
		}
	return found ? found : "(none)";
}

static void check_usual(struct arena *a)
{
	const char *const variables[] = { "LC_ALL=C", "X=1", "X=2", "nonsense", "EMPTY=", NULL };
	char **env = environment_make(a, "/t/h", NULL, -1);

	CHECK_TEXT(get(env, "HOME"), "/t/h");
	CHECK_TEXT(get(env, "TMPDIR"), "/t/h/tmp");
	CHECK_TEXT(get(env, "LC_ALL"), "C.UTF-8");
	CHECK_TEXT(get(env, "LD_LIBRARY_PATH"), "(none)");
	CHECK_TEXT(get(env, "ROCR_VISIBLE_DEVICES"), "(none)");

	env = environment_make(a, "/t/h", variables, -1);
	CHECK_TEXT(get(env, "LC_ALL"), "C");
	CHECK_TEXT(get(env, "X"), "2");
	CHECK_TEXT(get(env, "EMPTY"), "");
}

/* Device 1 as HIP counts, under what the user had set: which one is it for ROCr? */
static const struct {
	const char *variables[4];
	const char *rocr, *why;
} cases[] = {
	{ { NULL }, "1", "as counted" },
	{ { "HIP_VISIBLE_DEVICES=3,2" }, "2", "HIP's own order" },
	{ { "ROCR_VISIBLE_DEVICES=5,6" }, "6", "ROCr's order" },
	{ { "ROCR_VISIBLE_DEVICES=5,6,7", "HIP_VISIBLE_DEVICES=2,0" }, "5", "one above the other" },
	{ { "CUDA_VISIBLE_DEVICES=4,7" }, "7", "HIP reads this too" },
	{ { "CUDA_VISIBLE_DEVICES=4,7", "HIP_VISIBLE_DEVICES=0,1" }, "1", "but its own first" },
	{ { "ROCR_VISIBLE_DEVICES=GPU-1,GPU-2" }, "GPU-2", "by a name" },
	{ { "HIP_VISIBLE_DEVICES=GPU-1,GPU-2", "ROCR_VISIBLE_DEVICES=0,3" },
	  "GPU-2",
	  "a name is final" },
	{ { "HIP_VISIBLE_DEVICES=" }, "1", "empty is unset" },
	{ { "HIP_VISIBLE_DEVICES=0" }, "1", "a list that does not reach so far" },
};

static void check_alone(struct arena *a)
{
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		char **env = environment_make(a, "/t", cases[i].variables, 1);

		ROW_SPAN(span_of(get(env, "ROCR_VISIBLE_DEVICES")), cases[i].rocr, cases[i].why);
		CHECK_TEXT(get(env, "HIP_VISIBLE_DEVICES"), "(none)");
		CHECK_TEXT(get(env, "CUDA_VISIBLE_DEVICES"), "(none)");
	}
}

int main(void)
{
	struct arena a = { 0 };

	check_usual(&a);
	check_alone(&a);
	arena_done(&a);
	return check_end();
}
