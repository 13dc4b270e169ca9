#include "run/story.h"

#include <errno.h>
#include <stdlib.h>

#include "run/story-parts.h"

void story_record(struct run_story *s, const struct diary_record *r)
{
	static void (*const takers[DIARY_KINDS])(struct run_story *,
						 const struct diary_record *) = {
		[DIARY_START] = story_start,         [DIARY_OUTPUT] = story_output,
		[DIARY_FAILURE] = story_failure,     [DIARY_EVENT] = story_event,
		[DIARY_END] = story_ending,          [DIARY_SAMPLE] = story_sample,
		[DIARY_PROGRESS] = story_progress,   [DIARY_KERNEL] = story_kernel,
		[DIARY_PREFLIGHT] = story_preflight, [DIARY_HANG] = story_hang,
		[DIARY_ATTEMPT] = story_attempt,
	};

	if (r->kind < DIARY_KINDS && takers[r->kind])
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

int story_read(struct run_story *s, struct span bytes)
{
	size_t before = s->attempt_count;
	struct diary_record r;

	if (!diary_begins(&bytes) && story_is_torn(bytes) && bytes.len >= DIARY_FIRST)
		return -EBADMSG;
	while (diary_next(&bytes, &r))
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

void story_end(struct run_story *s)
{
	if (s->sample_count > 1)
		qsort(s->samples, s->sample_count, sizeof(*s->samples), by_time);
}

void story_done(struct run_story *s)
{
	void *lists[] = { s->attempts, s->samples,  s->points, s->events,
			  s->changes,  s->findings, s->helps,  s->variables };

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		free(lists[i]);
	arena_done(&s->arena);
}
