/* The order of steps: what nobody could check is never the first. */

#include "explain/next-steps.h"

#include <string.h>

#include "check.h"
#include "explain/defects.h"

static const char why[] = "its thread cannot be opened";

static const struct remedy checked = {
	.id = "checked", .steps = "", .kinds = "set-env", .risk = "low", .changes = "this run"
};
static const struct remedy kernel = { .id = "kernel",
				      .risk = "needs-reboot",
				      .changes = "this run",
				      .steps = "",
				      .kinds = "upgrade-driver",
				      .minutes = 60 };
static const struct remedy cheap = { .id = "cheap",
				     .risk = "low",
				     .changes = "this run",
				     .steps = "",
				     .kinds = "unset-env",
				     .minutes = 1,
				     .unchecked = why };
static const struct remedy on_cpu = { .id = "cpu",
				      .risk = "low",
				      .changes = "this run",
				      .steps = "",
				      .kinds = "other-backend",
				      .gives_gpu_up = true };

static const struct remedy quick_look = { .id = "quick-look",
					  .risk = "low",
					  .changes = "this run",
					  .steps = "",
					  .kinds = "",
					  .minutes = 3 };
static const struct remedy idle = { .id = "idle",
				    .risk = "low",
				    .changes = "this run",
				    .steps = "",
				    .kinds = "",
				    .minutes = 3,
				    .general = true };

static struct defect_fit bug = { .id = "bug", .kinds = "downgrade-rocm" };
static struct defect_fit guess = { .id = "guess", .kinds = "upgrade-rocm", .unchecked = why };

static const struct {
	const char *says;
	enum belief word;
	struct defect_fit *cured[2]; /* of each cause, or NULL */
	const struct remedy *remedies[2][3];
	const char *want; /* ids of steps, in their order */
} cases[] = {
	{ "fires: a cure that was not checked comes last",
	  BELIEF_LIKELY,
	  { &guess },
	  { { &checked, &on_cpu } },
	  "checked cpu guess " },
	{ "near miss: one that was checked comes first",
	  BELIEF_LIKELY,
	  { &bug },
	  { { &checked, &on_cpu } },
	  "bug checked cpu " },
	{ "undecided: behind the steps of every cause that is named",
	  BELIEF_UNDECIDED,
	  { &guess, &bug },
	  { { &checked }, { &kernel } },
	  "bug checked kernel guess " },
	{ "a remedy, too",
	  BELIEF_CERTAIN,
	  { NULL },
	  { { &checked, &cheap, &on_cpu } },
	  "checked cpu cheap " },
	{ "no cheap guess is raised above a long one if nobody checked it",
	  BELIEF_UNDECIDED,
	  { NULL },
	  { { &kernel, &cheap } },
	  "kernel cheap " },
	{ "a quick look comes before a reboot where the cause is unclear",
	  BELIEF_UNDECIDED,
	  { NULL },
	  { { &kernel, &quick_look } },
	  "quick-look kernel " },
	{ "but not what the text gives no reason for",
	  BELIEF_UNDECIDED,
	  { NULL },
	  { { &kernel, &idle } },
	  "kernel idle " },
	{ "alone it is not offered", BELIEF_LIKELY, { &guess }, { { &cheap } }, "" },
};

static size_t count_of(const struct remedy *const *list)
{
	size_t n = 0;

	while (n < 3 && list[n])
		n++;
	return n;
}

int main(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct explain_cause causes[2] = { 0 };
		const struct remedy *lists[2][3];
		struct explanation e = {
			.causes = causes, .cause_count = 2, .spoken = 2, .word = cases[i].word
		};
		struct buf got BUF_SCOPED = { 0 };

		memcpy(lists, cases[i].remedies, sizeof(lists));
		for (size_t k = 0; k < 2; k++)
			causes[k] =
				(struct explain_cause){ .cause = k ? "b" : "a",
							.belief = 0.4,
							.remedies = lists[k],
							.remedy_count = count_of(lists[k]),
							.cure = cases[i].cured[k] ? (k ? "D" : "C")
										  : NULL,
							.cured = cases[i].cured[k] };
		next_steps(&e, SHELL_BASH);
		for (size_t k = 0; k < e.step_count; k++)
			buf_addf(&got, "%s ",
				 e.steps[k].cure ? e.steps[k].cause->cured->id
						 : e.steps[k].remedy->id);
		if (!check_note(strcmp(got.len ? got.data : "", cases[i].want) == 0, __FILE__,
				__LINE__, cases[i].says))
			printf("  got %s\n", got.len ? got.data : "nothing");
		arena_done(&e.arena);
	}
	return check_end();
}
