#include "story/story.h"

#include <errno.h>
#include <stdlib.h>

#include "story/story-parts.h"

void story_record(struct story *s, const struct run_journal_record *r)
{
	static void (*const takers[RUN_JOURNAL_KINDS])(struct story *,
						       const struct run_journal_record *) = {
		[RUN_JOURNAL_START] = story_start,         [RUN_JOURNAL_OUTPUT] = story_output,
		[RUN_JOURNAL_FAILURE] = story_failure,     [RUN_JOURNAL_EVENT] = story_event,
		[RUN_JOURNAL_END] = story_ending,          [RUN_JOURNAL_SAMPLE] = story_sample,
		[RUN_JOURNAL_PROGRESS] = story_progress,   [RUN_JOURNAL_KERNEL] = story_kernel,
		[RUN_JOURNAL_PREFLIGHT] = story_preflight, [RUN_JOURNAL_HANG] = story_hang,
		[RUN_JOURNAL_ATTEMPT] = story_attempt,     [RUN_JOURNAL_TAIL] = story_tail,
	};

	if (r->kind < RUN_JOURNAL_KINDS && takers[r->kind])
		takers[r->kind](s, r);
	if (story_current(s) && r->at_ms > story_current(s)->last_ms)
		story_current(s)->last_ms = r->at_ms;
}

/* ---- the whole ---- */

bool story_is_torn(struct span rest)
{
	for (size_t i = 0; i < rest.len; i++)
		if (rest.data[i])
			return true;
	return false;
}

int story_read(struct story *s, struct span bytes)
{
	size_t before = s->attempt_count;
	struct run_journal_record r;

	if (!run_journal_begins(&bytes) && story_is_torn(bytes) && bytes.len >= RUN_JOURNAL_FIRST)
		return -EBADMSG;
	while (run_journal_next(&bytes, &r))
		story_record(s, &r);
	if (s->attempt_count > before)
		story_current(s)->torn = story_is_torn(bytes);
	return 0;
}

static int by_time(const void *a, const void *b)
{
	const struct story_sample *x = a, *y = b;

	return (x->at_ms > y->at_ms) - (x->at_ms < y->at_ms);
}

void story_sort(struct story *s)
{
	if (s->sample_count > 1)
		qsort(s->samples, s->sample_count, sizeof(*s->samples), by_time);
}

void story_done(struct story *s)
{
	void *lists[] = { s->attempts, s->samples, s->points,    s->events, s->changes,
			  s->findings, s->helps,   s->variables, s->tails };

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		free(lists[i]);
	arena_done(&s->arena);
}
