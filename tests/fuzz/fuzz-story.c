#include "story/story.h"

#include <stdlib.h>
#include <string.h>

#include "report/run.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/*
 * As a journal, whose checksums a fuzzer does not guess; and as records without
 * any: a byte of kind, then lines up to a NUL.
 */
static void read_loose(struct story *s, struct span rest)
{
	uint64_t at = 1000;

	while (rest.len > 0) {
		const char *end = memchr(rest.data, '\0', rest.len);
		size_t n = end ? (size_t)(end - rest.data) : rest.len;

		if (n > 1)
			story_record(s, &(struct run_journal_record){
						(enum run_journal_kind)(rest.data[0] %
									RUN_JOURNAL_KINDS),
						at,
						{ rest.data + 1, n - 1 } });
		at += 500;
		n += end != NULL;
		rest = (struct span){ rest.data + n, rest.len - n };
	}
}

static void render(struct story *s)
{
	struct run_report r = { s, false };
	struct buf out BUF_SCOPED = { 0 };
	struct page page = { .out = &out, .width = 80 };

	story_sort(s);
	run_text(&r, &page);
	run_json(&r, &out);
	buf_clear(&out);
	run_html(&r, &out);
	if (s->sample_count > STORY_SAMPLES || s->event_count > STORY_OTHERS ||
	    memmem(out.data, out.len, "<script", 7))
		abort();
	story_done(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span bytes = { (const char *)data, size };
	struct story whole = { 0 }, loose = { 0 };

	(void)story_read(&whole, bytes);
	render(&whole);
	read_loose(&loose, bytes);
	render(&loose);
	return 0;
}
