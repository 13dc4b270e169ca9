#include "explain/cure.h"

#include <string.h>

#include "explain/defects.h"
#include "explain/job.h"

#define CURE_MINUTES 10

static bool has_word(const char *words, const char *word, size_t len)
{
	for (; *words; words += strspn(words, " ")) {
		size_t here = strcspn(words, " ");

		if (here == len && strncmp(words, word, len) == 0)
			return true;
		words += here;
	}
	return false;
}

/*
 * Every remedy of such a kind says how to get a newer release. What is set or turned off is
 * another thing in each defect, and an older release has to be named.
 */
static bool is_release(const char *kind)
{
	return strncmp(kind, "upgrade-", strlen("upgrade-")) == 0;
}

static const struct remedy *find_of_kind(const struct explain_cause *c)
{
	for (const char *kind = c->cured->kinds; *kind; kind += strspn(kind, " ")) {
		size_t len = strcspn(kind, " ");

		for (size_t i = 0; is_release(kind) && i < c->remedy_count; i++)
			if (has_word(c->remedies[i]->kinds, kind, len))
				return c->remedies[i];
		kind += len;
	}
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
