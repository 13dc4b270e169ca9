#include "code/runs.h"

#include <string.h>

#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What runs with an old runtime runs with a newer one; an unknown one follows the newest rules. */
static void newer_runs_more(struct span code, struct span device)
{
	static const char *const versions[] = {
		"4.1", "5.7", "6.1", "6.2", "6.4", "7.0", "7.14", ""
	};
	bool ran = false;

	for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
		bool runs = gfx_runs(code, device, span_of(versions[i])) != RUNS_NOT;

		must(runs || !ran);
		ran = runs;
	}
}

/* A device that has a name runs its own code, and an override makes a device of it. */
static void names_are_devices(struct span name, struct span override)
{
	char id[TARGET_ID_MAX], other[TARGET_ID_MAX];

	if (!gfx_device(name, -1, 1, id))
		return;
	must(strlen(id) < sizeof(id));
	must(gfx_runs(span_of(id), span_of(id), span_of("")) == RUNS_EXACT);
	if (gfx_effective(span_of(id), override, other))
		must(gfx_runs(span_of(other), span_of(other), span_of("")) == RUNS_EXACT);
}

static void order_is_one(struct span a, struct span b)
{
	int forth = 0, back = 0;

	must(version_cmp(a, b, &forth) == version_cmp(b, a, &back));
	must(forth == -back && forth >= -1 && forth <= 1);
}

/* Three lines: code, device or override, version. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span rest = { (const char *)data, size };
	struct span lines[3] = { { "", 0 }, { "", 0 }, { "", 0 } };
	char reason[160];

	for (int i = 0; i < 3; i++)
		(void)span_line(&rest, &lines[i]);
	(void)gfx_runs(lines[0], lines[1], lines[2]);
	newer_runs_more(lines[0], lines[1]);
	names_are_devices(lines[0], lines[1]);
	order_is_one(lines[1], lines[2]);
	if (runs_refusal((unsigned int)lines[0].len, (unsigned int)lines[1].len, lines[1], lines[2],
			 reason, sizeof(reason)))
		must(reason[0] != '\0');
	return 0;
}
