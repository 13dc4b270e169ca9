#include "report/run.h"

#include <stdio.h>
#include <string.h>

bool run_is_told(const struct story_event *e)
{
	static const char *const told[] = { "keeper-died", "sampler-stuck", "vram-left", "stuck",
					    "stopped",     "killed",        "kernel-log" };

	if (e->kind != STORY_EVENT)
		return true;
	for (size_t i = 0; i < sizeof(told) / sizeof(told[0]); i++)
		if (strcmp(e->name, told[i]) == 0)
			return true;
	return false;
}

const char *run_event_name(const struct story_event *e)
{
	static const char *const names[] = { [STORY_FAILURE] = "failure line",
					     [STORY_KERNEL] = "kernel log",
					     [STORY_HANG] = "no progress",
					     [STORY_HANG_OVER] = "progress again",
					     [STORY_EVENT] = "event" };

	return names[e->kind];
}

void run_clock(const struct run_story *s, uint64_t at_ms, char ret[static 24])
{
	uint64_t start = s->attempt_count ? s->attempts[0].start_ms : at_ms;
	unsigned long long t = at_ms > start ? (at_ms - start) / 1000 : 0;

	if (t >= 3600)
		snprintf(ret, 24, "%llu:%02llu:%02llu", t / 3600, t / 60 % 60, t % 60);
	else
		snprintf(ret, 24, "%llu:%02llu", t / 60, t % 60);
}
