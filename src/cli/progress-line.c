#include "cli/progress-line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"

#define SILENT_MS 1000
#define EVERY_MS  100
#define ROOM      60 /* columns for a path, of which the end is shown */

void progress_line_start(struct progress_line *p)
{
	const char *terminal = getenv("TERM");

	*p = (struct progress_line){ .on = isatty(STDERR_FILENO) && terminal &&
					   strcmp(terminal, "dumb") != 0, /* a line there stays */
				     .start_ms = clock_ms() };
}

static bool is_time(struct progress_line *p)
{
	uint64_t now;

	if (!p->on)
		return false;
	now = clock_ms();
	if (now - p->start_ms < SILENT_MS || now - p->last_ms < EVERY_MS)
		return false;
	p->last_ms = now;
	p->shown = true;
	return true;
}

void progress_line_say(struct progress_line *p, const char *text)
{
	struct buf clean BUF_SCOPED = { 0 };

	if (!is_time(p))
		return;
	text_clean(&clean, span_of(text), false);
	fprintf(stderr, "\r\x1b[K%s", buf_get(&clean).data);
	(void)fflush(stderr);
}

void progress_line_step(struct progress_line *p, const char *path)
{
	struct buf clean BUF_SCOPED = { 0 };
	const char *end;

	p->files++;
	if (!is_time(p))
		return;
	text_clean(&clean, span_of(path), false);
	end = clean.data ? clean.data : "";
	while (text_width(span_of(end)) > ROOM)
		end += text_utf8(span_of(end));
	fprintf(stderr, "\r\x1b[K%llu files: %s", (unsigned long long)p->files, end);
	(void)fflush(stderr);
}

void progress_line_end(struct progress_line *p)
{
	if (p->shown)
		fputs("\r\x1b[K", stderr);
	p->shown = false;
}
