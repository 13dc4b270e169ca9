#include "cli/explain-follow.h"

#include <stdio.h>
#include <unistd.h>

#include "cli/say.h"
#include "explain/follow.h"

static volatile sig_atomic_t stopped;

static void stop(int number)
{
	(void)number;
	stopped = 1;
}

struct status {
	bool terminal;
	bool line_open; /* progress stands on the last line of the terminal */
};

static void end_progress(struct status *s)
{
	if (s->line_open)
		fputs("\r\033[K", stderr);
	s->line_open = false;
}

static void show_progress(void *ctx, unsigned long long lines)
{
	struct status *s = ctx;

	if (!s->terminal)
		return;
	fprintf(stderr, "\r\033[K%llu lines read; Ctrl-C explains", lines);
	fflush(stderr);
	s->line_open = true;
}

static void say_line(void *ctx, const char *line)
{
	end_progress(ctx);
	say("%s", line);
}

int explain_follow(struct scan *scan, const struct log_signatures *signatures, const char *path)
{
	struct status status = { .terminal = isatty(STDERR_FILENO) == 1 };
	struct follow how = { say_line, show_progress, &status, &stopped };
	struct sigaction action = { .sa_handler = stop, .sa_flags = SA_RESETHAND };
	int r;

	stopped = 0;
	sigaction(SIGINT, &action, NULL); /* a second one ends the program at once */
	sigaction(SIGTERM, &action, NULL);
	r = follow_log(scan, signatures, path, &how);
	end_progress(&status);
	return r;
}
