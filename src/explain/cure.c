#include "explain/cure.h"

#include "explain/defects.h"
#include "explain/job.h"

#define CURE_MINUTES 10

/*
 * Every remedy of a kind "upgrade-..." says how to get a newer release. What is set or turned
 * off is another thing in each defect, and an older release has to be named.
 */
static const struct remedy *find_of_kind(const struct explain_cause *c)
{
	struct span rest = span_of(c->cured->kinds), kind;

	while (span_word(&rest, &kind))
		for (size_t i = 0; span_starts(kind, "upgrade-") && i < c->remedy_count; i++)
			if (!c->remedies[i]->unchecked &&
			    span_lists_word(span_of(c->remedies[i]->kinds), kind))
				return c->remedies[i];
	return NULL;
}

const struct remedy *cure_find(struct arena *a, const struct explain_cause *c, const char *job)
{
	const struct remedy *like = c->cured->how ? NULL : find_of_kind(c);
	const struct remedy *filled;
	struct remedy *r;

	if (!like && !c->cured->how)
		return NULL;
	r = arena_alloc(a, sizeof(*r));
	if (like)
		*r = *like;
	else
		*r = (struct remedy){ .steps = c->cured->how,
				      .risk = "low",
				      .verify = "python train.py 2>&1 | rocsteady explain",
				      .changes = "",
				      .undo = "",
				      .minutes = CURE_MINUTES,
				      .general = true };
	r->id = like ? like->id : c->cured->id; /* so that the remedy is not offered once more */
	r->title = c->cure;
	r->kinds = c->cured->kinds;
	filled = r;
	if (job)
		job_fill(a, job, &filled, 1);
	return filled;
}
