#include "lab/score-report.h"

static void say_rank(struct buf *ret, const char *what, size_t before, size_t after)
{
	if (before == after)
		return;
	buf_addf(ret, "; %s %zu", what, before);
	if (after > 0)
		buf_addf(ret, " to %zu", after);
	else
		buf_text(ret, " to none");
}

static void say_fall(struct buf *ret, const struct score_fall *f)
{
	const char *named = f->after.ranked[0];

	buf_addf(ret, "%s %s + %s", f->is_lost ? "lost" : "fall", f->id, f->facts);
	say_rank(ret, "cause", score_rank(&f->before), score_rank(&f->after));
	say_rank(ret, "cure", score_cure_rank(&f->before, true), score_cure_rank(&f->after, true));
	buf_addf(ret, "; first %s, %s; should be %s\n",
		 f->after.silent || !named ? "nothing" : named,
		 f->after.steps[0] && f->after.steps[0][0] ? f->after.steps[0] : "a look",
		 f->after.cause);
}

void score_facts_text(const struct score_facts *f, struct buf *ret)
{
	for (size_t i = 0; i < f->fall_count; i++)
		say_fall(ret, &f->falls[i]);
	buf_addf(ret, "facts: %zu record%s, %zu facts and pairs, %zu worse (%.1f %%)", f->records,
		 f->records == 1 ? "" : "s", f->tried, f->fall_count,
		 f->tried ? 100.0 * (double)f->fall_count / (double)f->tried : 0.0);
	buf_addf(ret, ", %zu lost, %zu depend on the order\n", f->lost, f->reordered);
}
