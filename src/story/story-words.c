/* The wording of a run's result, which every report of it uses. */

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "story/story.h"

#define ERRORS 4096 /* no errno is higher */

/* Why it hung, if we ended it for that: then its status says only how it took it. */
static struct span hang_of(const struct story_attempt *a)
{
	static const char *const words[] = { "stopped because it hung: ",
					     "it was ended because it hung: " }; /* until 2026 */
	struct span rest = span_of(a->said), line;

	while (span_line(&rest, &line))
		for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
			if (span_starts(line, words[i]))
				return (struct span){ line.data + strlen(words[i]),
						      line.len - strlen(words[i]) };
	return (struct span){ "", 0 };
}

enum story_verdict story_verdict(const struct story *s)
{
	const struct story_attempt *last =
		s->attempt_count ? &s->attempts[s->attempt_count - 1] : NULL;

	if (!last || !last->ending[0])
		return STORY_UNFINISHED;
	if (strcmp(last->ending, "status") != 0 || strcmp(last->ending_word, "0") != 0 ||
	    hang_of(last).len > 0)
		return STORY_FAILED;
	return s->attempt_count > 1 || strcmp(last->outcome, "healed") == 0 ? STORY_HEALED
									    : STORY_WELL;
}

bool story_is_eventful(const struct story *s)
{
	if (story_verdict(s) != STORY_WELL)
		return true;
	for (size_t i = 0; i < s->event_count; i++)
		if (s->events[i].kind == STORY_HANG)
			return true;
	return false;
}

/* "certain: GPU memory is full (vram-exhausted): ..." of the verdict: what stands before the bracket. */
static struct span cause_of(const struct story_attempt *a)
{
	static const char *const words[] = { "certain: ", "likely: ", "unclear: " };
	struct span rest = span_of(a->said), line;

	while (span_line(&rest, &line)) {
		size_t end = span_find(line, SPAN_LITERAL(" ("));

		for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
			const char *word = words[i];

			if (span_starts(line, word))
				return (struct span){ line.data + strlen(word),
						      (end == SIZE_MAX ? line.len : end) -
							      strlen(word) };
		}
	}
	return (struct span){ "", 0 };
}

/* "it had reached step 160 of 2000; loss 0.53": the place alone, or nothing. */
struct span story_reached(const struct story_attempt *a)
{
	static const char word[] = "it had reached ";
	struct span rest = span_of(a->said), line, place;

	while (span_line(&rest, &line))
		if (span_starts(line, word)) {
			line = (struct span){ line.data + strlen(word), line.len - strlen(word) };
			span_cut(&line, ';', &place);
			return span_starts(place, "loss ") ? (struct span){ "", 0 } : place;
		}
	return (struct span){ "", 0 };
}

/* "Host memory of the job grew 12.0 MiB a step: from ...": how fast, or nothing. */
static struct span grew_of(const struct story_attempt *a)
{
	static const char word[] = "Host memory of the job grew ";
	struct span rest = span_of(a->said), line, fast;

	while (span_line(&rest, &line))
		if (span_starts(line, word)) {
			line = (struct span){ line.data + strlen(word), line.len - strlen(word) };
			span_cut(&line, ':', &fast);
			return fast;
		}
	return (struct span){ "", 0 };
}

/* "ENOSPC" in words; what is no such name as it is. */
static const char *error_of(const char *name)
{
	for (int i = 1; i < ERRORS; i++) {
		const char *one = strerrorname_np(i);

		if (one && strcmp(one, name) == 0)
			return strerrordesc_np(i);
	}
	return name;
}

const char *story_lost(const struct story_attempt *t, struct arena *a)
{
	int64_t out = t->lost_out > 0 ? t->lost_out : 0, err = t->lost_err > 0 ? t->lost_err : 0;

	if ((out == 0 && err == 0) || strcmp(t->lost_why, "EPIPE") == 0 ||
	    strcmp(t->lost_why, "ECONNRESET") == 0)
		return "";
	return arena_format(a, "%llu bytes of its output could not be written: %s",
			    (unsigned long long)out + (unsigned long long)err,
			    error_of(t->lost_why));
}

static void add_ending(struct buf *out, const struct story_attempt *a)
{
	int n = atoi(a->ending_word);

	if (hang_of(a).len > 0)
		buf_text(out, "Hung and was stopped");
	else if (strcmp(a->ending, "signal") == 0 && sigabbrev_np(n))
		buf_addf(out, "Killed by SIG%s", sigabbrev_np(n));
	else if (strcmp(a->ending, "signal") == 0)
		buf_addf(out, "Killed by signal %d", n);
	else if (strcmp(a->ending, "unexecuted") == 0)
		buf_addf(out, "Not started: %s", error_of(a->ending_word));
	else
		buf_addf(out, "Failed with exit code %s", a->ending_word);
}

const char *story_sentence(const struct story *s, struct arena *a)
{
	const struct story_attempt *last =
		s->attempt_count ? &s->attempts[s->attempt_count - 1] : NULL;
	struct buf out BUF_SCOPED = { 0 };
	char took[UNITS_MAX] = "0 s";
	struct span cause;
	size_t proof, settings = 0;

	if (!last)
		return "The beginning of the journal is missing";
	if (last->last_ms > s->attempts[0].start_ms) /* else the clock was set back */
		units_seconds((last->last_ms - s->attempts[0].start_ms + 500) / 1000, took);
	cause = hang_of(last);
	proof = span_find(cause, SPAN_LITERAL("; "));
	if (cause.len == 0)
		cause = cause_of(last);
	else if (proof != SIZE_MAX) /* it stands below */
		cause.len = proof;
	switch (story_verdict(s)) {
	case STORY_WELL:
		buf_addf(&out, "Succeeded after %s", took);
		break;
	case STORY_HEALED:
		if (s->attempt_count > 1) {
			buf_addf(&out, "Healed: attempt %zu succeeded, after %s", s->attempt_count,
				 took);
			break;
		}
		/* A run that never failed was not healed: only settings were changed before it. */
		for (size_t i = 0; i < s->change_count; i++)
			settings += !s->changes[i].harmful;
		buf_addf(&out, "Succeeded after %s, with %zu setting%s of --heal", took, settings,
			 settings == 1 ? "" : "s");
		break;
	case STORY_UNFINISHED:
		buf_addf(
			&out,
			"No exit recorded: the job still runs, or rocsteady or its watcher was killed (last seen after %s)",
			took);
		break;
	case STORY_FAILED:
		add_ending(&out, last);
		if (strcmp(last->ending, "unexecuted") != 0)
			buf_addf(&out, " after %s", took);
		if (story_reached(last).len > 0)
			buf_addf(&out, " at %.*s", (int)story_reached(last).len,
				 story_reached(last).data);
		if (s->attempt_count > 1)
			buf_addf(&out, " and %zu attempts", s->attempt_count);
		if (cause.len > 0)
			buf_addf(&out, ": %.*s", (int)cause.len, cause.data);
		if (grew_of(last).len > 0)
			buf_addf(&out, "; its host memory grew %.*s", (int)grew_of(last).len,
				 grew_of(last).data);
	}
	return arena_text(a, buf_get(&out));
}
