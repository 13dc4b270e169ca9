#include "run/tail.h"

#include "base/clock.h"
#include "base/text.h"

#define RECORD_MAX (RUN_JOURNAL_PAYLOAD - 4096)
#define LINE_MAX   1000 /* bytes of a line that are kept */

/* The text after the last carriage return: a progress bar leaves only that on the screen. */
static struct span shown_of(struct span line)
{
	size_t start;

	while (line.len > 0 && line.data[line.len - 1] == '\r')
		line.len--;
	for (start = line.len; start > 0 && line.data[start - 1] != '\r';)
		start--;
	line = (struct span){ line.data + start, line.len - start };
	return text_cut(line, LINE_MAX);
}

static size_t count_lines(struct span text)
{
	struct span line;
	size_t n = 0;

	while (span_line(&text, &line))
		n++;
	return n;
}

void tail_write(struct span text, const char *name, struct run_journal *j)
{
	struct buf record BUF_SCOPED = { 0 };
	size_t left = count_lines(text);
	struct span line;

	while (span_line(&text, &line)) {
		if (left-- > TAIL_LINES)
			continue;
		buf_addf(&record, "%s ", name);
		text_word(&record, shown_of(line));
		buf_char(&record, '\n');
		if (record.len > RECORD_MAX || left == 0) {
			run_journal_add(j, RUN_JOURNAL_TAIL, clock_date_ms(), buf_get(&record));
			buf_clear(&record);
		}
	}
}
