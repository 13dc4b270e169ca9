#include "gate/passed.h"

#include <assert.h>
#include <string.h>

#include "base/text.h"
#include "gate/beside-verdict.h"

static const struct {
	char letter;
	const char *name;
} kinds[PASSED_KINDS] = {
	[PASSED_NO_VERDICT] = { 'n', "no-verdict" },
	[PASSED_OLD_VERDICT] = { 'o', "old-verdict" },
	[PASSED_BAD_VERDICT] = { 'd', "bad-verdict" },
	[PASSED_OFF] = { 'x', "gate-off" },
	[PASSED_BRAKE] = { 'b', "max-drained" },
	[PASSED_OTHER_REASON] = { 'r', "other-reason" },
	[PASSED_SLURM_SILENT] = { 's', "slurm-silent" },
	[PASSED_HOOK] = { 'h', "hook" },
};

const char *passed_name(enum passed why)
{
	assert(why < PASSED_KINDS);
	return kinds[why].name;
}

void passed_add(const char *verdict, enum passed why, struct buf *said)
{
	static const struct beside_order file = { .name = PASSED_FILE, .most = PASSED_MAX };
	struct buf path BUF_SCOPED = { 0 }, reason BUF_SCOPED = { 0 };
	int r;

	assert(why < PASSED_KINDS);
	r = beside_add(verdict, &file, (struct span){ &kinds[why].letter, 1 }, &reason);
	if (r == 0)
		return;
	beside_verdict(verdict, PASSED_FILE, &path);
	text_line(said, "%s: not counted: %s", path.data,
		  reason.len > 0 ? reason.data : strerror(-r));
}

void passed_read(const char *verdict, uint64_t ret[static PASSED_KINDS])
{
	struct buf text BUF_SCOPED = { 0 };

	memset(ret, 0, PASSED_KINDS * sizeof(*ret));
	beside_read(verdict, PASSED_FILE, PASSED_MAX, &text);
	for (size_t i = 0; i < text.len; i++)
		for (size_t k = 0; k < PASSED_KINDS; k++)
			ret[k] += text.data[i] == kinds[k].letter;
}
