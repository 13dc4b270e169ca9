/*
 * A journal's records as those of a snapshot, so that the one scrubber replaces
 * in them what it replaces everywhere else, and back again.
 */

#include "base/text.h"
#include "door/record.h"
#include "scrub/scrub.h"
#include "story/story.h"

#define QUESTION "journal"

/* Nothing but numbers, and most of a long journal. */
static bool is_numbers(enum run_journal_kind kind)
{
	return kind == RUN_JOURNAL_SAMPLE || kind == RUN_JOURNAL_PROGRESS ||
	       kind == RUN_JOURNAL_OUTPUT;
}

/* "host NAME" of the start is what the file of the kernel would say. */
static void add_host(struct buf *out, struct span payload)
{
	struct buf name BUF_SCOPED = { 0 };
	struct span line, key, word;

	while (span_line(&payload, &line))
		if (span_word(&line, &key) && span_is(key, "host") && span_word(&line, &word) &&
		    text_unword(&name, word)) {
			buf_char(&name, '\n');
			record_write_content(out, RECORD_FILE,
					     SPAN_LITERAL("/proc/sys/kernel/hostname"), 0,
					     buf_get(&name));
			return;
		}
}

static void to_snapshot(struct span bytes, struct buf *text)
{
	struct run_journal_record r;

	buf_text(text, RECORD_MAGIC "\n");
	while (run_journal_next(&bytes, &r)) {
		if (r.kind == RUN_JOURNAL_START)
			add_host(text, r.payload);
		if (!is_numbers(r.kind))
			record_write_content(text, RECORD_ASK, SPAN_LITERAL(QUESTION), 0,
					     r.payload);
	}
}

/* The words of the next record, in the order in which they were written. */
static bool next_words(struct span *text, struct buf *ret)
{
	struct record r;

	buf_clear(ret);
	while (record_next(text, &r) > 0)
		if (r.kind == RECORD_ASK && span_is(r.path, QUESTION))
			return record_content(&r, ret);
	return false;
}

static void from_snapshot(struct story *s, struct span *bytes, struct span text)
{
	struct buf words BUF_SCOPED = { 0 };
	struct run_journal_record r;

	while (run_journal_next(bytes, &r)) {
		if (!is_numbers(r.kind)) {
			bool good = next_words(&text, &words);

			r.payload = good ? buf_get(&words) : (struct span){ "", 0 };
		}
		story_record(s, &r);
	}
}

int story_read_scrubbed(struct story *s, struct span bytes, const char *key)
{
	struct buf text BUF_SCOPED = { 0 }, clean BUF_SCOPED = { 0 };
	size_t before = s->attempt_count;
	int r;

	if (!run_journal_begins(&bytes))
		return story_read(s, bytes); /* it has no words, or is no journal */
	to_snapshot(bytes, &text);
	r = scrub(buf_get(&text), buf_get(&text), key, &clean);
	if (r < 0)
		return r;
	from_snapshot(s, &bytes, buf_get(&clean));
	if (s->attempt_count > before)
		s->attempts[s->attempt_count - 1].torn = story_is_torn(bytes);
	return 0;
}
