#pragma once

/*
 * progress-line - a line on the terminal for those who wait
 *
 * Nothing in the first second, nothing if stderr is no terminal, and nothing
 * left behind at the end.
 */

#include <stdbool.h>
#include <stdint.h>

struct progress_line {
	bool on;
	bool shown;
	uint64_t start_ms, last_ms;
	uint64_t files;
};

void progress_line_start(struct progress_line *p);
void progress_line_say(struct progress_line *p, const char *text);  /* a line of one's own */
void progress_line_step(struct progress_line *p, const char *path); /* what is looked at now */
void progress_line_end(struct progress_line *p);
