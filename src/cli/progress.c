#include "cli/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"

#define SILENT_MS 1000
#define EVERY_MS  100
#define ROOM      60 /* columns for a path, of which the end is shown */

static uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

void progress_start(struct progress *p)
{
	const char *terminal = getenv("TERM");

	*p = (struct progress){ .on = isatty(STDERR_FILENO) && terminal &&
				      strcmp(terminal, "dumb") != 0, /* a line there stays */
				.start_ms = now_ms() };
}

static bool is_time(struct progress *p)
{
	uint64_t now;

	if (!p->on)
		return false;
	now = now_ms();
	if (now - p->start_ms < SILENT_MS || now - p->last_ms < EVERY_MS)
		return false;
	p->last_ms = now;
	p->shown = true;
	return true;
}

void progress_say(struct progress *p, const char *text)
{
	struct buf clean BUF_SCOPED = { 0 };

	if (!is_time(p))
		return;
	text_clean(&clean, span_of(text), false);
	fprintf(stderr, "\r\x1b[K%s", buf_get(&clean).data);
	(void)fflush(stderr);
}

void progress_step(struct progress *p, const char *path)
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

void progress_end(struct progress *p)
{
	if (p->shown)
		fputs("\r\x1b[K", stderr);
	p->shown = false;
}
