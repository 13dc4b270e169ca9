#pragma once

/*
 * progress - a line on the terminal for those who wait
 *
 * Nothing in the first second, nothing if stderr is no terminal, and nothing
 * left behind at the end.
 */

#include <stdbool.h>
#include <stdint.h>

struct progress {
	bool on;
	bool shown;
	uint64_t start_ms, last_ms;
	uint64_t files;
};

void progress_start(struct progress *p);
void progress_say(struct progress *p, const char *text);  /* a line of one's own */
void progress_step(struct progress *p, const char *path); /* what is looked at now */
void progress_end(struct progress *p);
