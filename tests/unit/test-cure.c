/* What is to be typed for the cure of a known defect. */

#include "explain/cure.h"

#include "check.h"
#include "explain/defects.h"

static const struct remedy look = { .id = "look", .steps = "", .kinds = "" };
static const struct remedy polls = { .id = "polls",
				     .steps = "    POLL=1 python train.py",
				     .kinds = "set-env" };
static const struct remedy kernel = { .id = "kernel",
				      .steps = "    uname -r\n    python train.py",
				      .kinds = "downgrade-driver upgrade-driver" };
static const struct remedy *list[] = { &look, &polls, &kernel };

static const struct remedy *find(struct arena *a, const char *kinds, const char *how,
				 const char *job)
{
	struct defect_fit *d = arena_alloc(a, sizeof(*d));
	struct explain_cause *c = arena_alloc(a, sizeof(*c));

	*d = (struct defect_fit){ .id = "bug", .how = how, .kinds = kinds };
	*c = (struct explain_cause){
		.cure = "Use kernel 6.18.", .cured = d, .remedies = list, .remedy_count = 3
	};
	return cure_find(a, c, job);
}

/* A sentence of another release has the steps of a remedy of that kind, wherever the kind stands. */
static void takes_steps_of_kind(void)
{
	struct arena a = { 0 };
	const struct remedy *r = find(&a, "upgrade-driver", NULL, "vllm serve model");

	CHECK_TEXT(r->id, kernel.id); /* so that it is not offered once more */
	CHECK_TEXT(r->title, "Use kernel 6.18.");
	CHECK_TEXT(r->kinds, "upgrade-driver");
	CHECK_TEXT(r->steps, "    uname -r\n    vllm serve model");
	CHECK(find(&a, "firmware-setting upgrade-driver", NULL, NULL)->steps == kernel.steps);
	arena_done(&a);
}

/* What is set is another thing in each defect, and a part of a word is no kind. */
static void takes_no_other_kind(void)
{
	struct arena a = { 0 };

	CHECK(!find(&a, "set-env", NULL, NULL));
	CHECK(!find(&a, "upgrade-rocm", NULL, NULL));
	CHECK(!find(&a, "upgrade-drive", NULL, NULL));
	CHECK(!find(&a, "", NULL, NULL));
	arena_done(&a);
}

static void has_steps_of_its_own(void)
{
	struct arena a = { 0 };
	const struct remedy *r =
		find(&a, "upgrade-driver", "    A=1 python train.py", "ollama serve");

	CHECK_TEXT(r->steps, "    A=1 ollama serve");
	CHECK_TEXT(r->verify, "ollama serve 2>&1 | rocsteady explain");
	arena_done(&a);
}

int main(void)
{
	takes_steps_of_kind();
	takes_no_other_kind();
	has_steps_of_its_own();
	return check_end();
}
