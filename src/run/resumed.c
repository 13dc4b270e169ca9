#include "run/resumed.h"

#include <ctype.h>
#include <string.h>

#include "base/clock.h"
#include "base/rules.h"
#include "base/text.h"

extern const char data_nights[];

bool resumed_tells(struct span line)
{
	char lower[RESUMED_LINE];
	struct span row;

	line.len = line.len < RESUMED_LINE ? line.len : RESUMED_LINE;
	for (size_t i = 0; i < line.len; i++)
		lower[i] = (char)tolower((unsigned char)line.data[i]);
	line.data = lower;
	for (size_t i = 0; rules_row(data_nights, "resumed", i, &row); i++)
		if (span_fits(line, row))
			return true;
	return false;
}

static void take_line(struct resumed *r, struct span line)
{
	line = span_trim(line);
	if (r->found_count == RESUMED_MAX || !resumed_tells(line))
		return;
	memcpy(r->found[r->found_count].text, line.data, line.len);
	r->found[r->found_count++].count = line.len;
}

void resumed_bytes(struct resumed *r, int stream, struct span bytes)
{
	for (size_t i = 0; i < bytes.len && r->streams[stream].seen < RESUMED_BYTES; i++) {
		char c = bytes.data[i];

		r->streams[stream].seen++;
		if (c == '\n' || c == '\r') {
			take_line(r, (struct span){ r->streams[stream].line,
						    r->streams[stream].count });
			r->streams[stream].count = 0;
		} else if (r->streams[stream].count < RESUMED_LINE) {
			r->streams[stream].line[r->streams[stream].count++] = c;
		}
	}
}

void resumed_write(const struct resumed *r, struct run_journal *j)
{
	for (size_t i = 0; i < r->found_count; i++) {
		struct buf text BUF_SCOPED = { 0 };

		buf_text(&text, "resumed ");
		text_word(&text, (struct span){ r->found[i].text, r->found[i].count });
		buf_char(&text, '\n');
		run_journal_add(j, RUN_JOURNAL_EVENT, clock_date_ms(), buf_get(&text));
	}
}
