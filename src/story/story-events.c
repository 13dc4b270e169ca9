/* Events of a run: failure lines, lines of the kernel, hangs, and the supervisor's actions. */

#include <string.h>

#include "story/story-parts.h"

#define FRAMES_MAX 4000 /* bytes */

static struct story_event *add_event(struct story *s, uint64_t at_ms, enum story_event_kind kind)
{
	struct story_event *e = STORY_MORE(s, event, STORY_OTHERS);

	if (e)
		*e = (struct story_event){ .at_ms = at_ms,
					   .kind = kind,
					   .attempt = (unsigned int)s->attempt_count,
					   .name = "",
					   .where = "",
					   .text = "",
					   .file = "",
					   .proof = "",
					   .means = "",
					   .step = "",
					   .python = "",
					   .frames = "" };
	return e;
}

void story_failure(struct story *s, const struct run_journal_record *r)
{
	struct story_event *e = add_event(s, r->at_ms, STORY_FAILURE);
	struct span line = r->payload;
	const char *stream = story_word(s, &line), *at = story_word(s, &line);

	if (!e)
		return;
	e->where = arena_format(&s->arena, "%s:%s", stream, at);
	e->name = story_word(s, &line);
	e->text = story_words(s, &line);
}

void story_kernel(struct story *s, const struct run_journal_record *r)
{
	struct story_event *e = add_event(s, r->at_ms, STORY_KERNEL);
	struct span line = r->payload;

	if (!e)
		return;
	e->name = story_word(s, &line);
	e->where = story_word(s, &line);
	e->text = story_words(s, &line);
}

void story_event(struct story *s, const struct run_journal_record *r)
{
	struct story_event *e = add_event(s, r->at_ms, STORY_EVENT);
	struct span line = r->payload;

	if (!e)
		return;
	e->name = story_word(s, &line);
	e->text = story_words(s, &line);
}

/* "out TEXT" or "err TEXT" for each line. */
void story_tail(struct story *s, const struct run_journal_record *r)
{
	struct span rest = r->payload, line, key;

	while (span_line(&rest, &line)) {
		struct story_tail *t = NULL;

		if (span_word(&line, &key))
			t = STORY_MORE(s, tail, STORY_TAILS);
		if (!t)
			return;
		*t = (struct story_tail){ (unsigned int)s->attempt_count, span_is(key, "err"),
					  story_word(s, &line) };
	}
}

static void add_frame(struct story *s, struct story_event *e, const char *frame)
{
	if (e->frames_len > FRAMES_MAX)
		return;
	e->frames = arena_format(&s->arena, "%s%s\n", e->frames, frame);
	e->frames_len = strlen(e->frames);
}

/* Words after "hang": the evidence file, and the conclusions from it. */
static void take_hang(struct story *s, struct story_event *e, struct span key, struct span line)
{
	if (span_is(key, "file"))
		e->file = story_word(s, &line);
	else if (span_is(key, "proof"))
		e->proof = story_words(s, &line);
	else if (span_is(key, "means"))
		e->means = story_words(s, &line);
	else if (span_is(key, "do"))
		e->step = story_words(s, &line);
	else if (span_is(key, "python"))
		e->python = story_words(s, &line);
	else if (span_is(key, "frame"))
		add_frame(s, e, story_word(s, &line));
}

/* "hang KIND SECONDS USUAL_MS SAYS", then lines about it, or "over SECONDS". */
void story_hang(struct story *s, const struct run_journal_record *r)
{
	struct span rest = r->payload, line, key;
	struct story_event *e = NULL;

	while (span_line(&rest, &line)) {
		bool over;

		if (!span_word(&line, &key))
			continue;
		over = span_is(key, "over");
		if (over || span_is(key, "hang")) {
			e = add_event(s, r->at_ms, over ? STORY_HANG_OVER : STORY_HANG);
			if (!e)
				return;
			e->name = over ? "" : story_word(s, &line);
			e->where = story_word(s, &line);
			if (!over)
				(void)story_number(&line);
			e->text = story_words(s, &line);
		} else if (e) {
			take_hang(s, e, key, line);
		}
	}
}
