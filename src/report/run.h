#pragma once

/*
 * run (report) - what happened to a job, for people and for programs
 *
 * Only renders a story (story/story.h). The page has the verdict first, then a
 * timeline with what happened on it, then attempts, surroundings and evidence.
 */

#include "report/page.h"
#include "story/story.h"

struct run_report {
	const struct story *story;
	bool scrubbed; /* its words hold pseudonyms */
};

void run_text(const struct run_report *r, struct page *p);
void run_text_brief(const struct run_report *r, const char *directory,
		    struct page *p);                        /* of many */
void run_json(const struct run_report *r, struct buf *ret); /* docs/run.schema.json */
void run_html(const struct run_report *r, struct buf *ret);

/* ---- within src/report ---- */

/*
 * Worth a place on the timeline. The bookkeeping of the supervisor is not, nor is a line that
 * looks like a failure in an attempt that ended well.
 */
bool run_is_told(const struct story *s, const struct story_event *e);

/* What an attempt (from 0) had done before it ended, and from where it went on; lines, or nothing. */
void run_work_says(const struct story *s, size_t attempt, struct buf *out);

/* A line of the verdict that the report says in its own way. */
bool run_is_elsewhere(struct span line);

/* "failure line", "kernel log", ... and what it was: "stopped by SIGSTOP". */
const char *run_event_name(const struct story_event *e);
void run_event_says(const struct story_event *e, struct buf *out);

/* The lanes of the timeline. */
void run_lanes(const struct story *s, struct buf *out);

/* "1:02:03" since the start of the run. */
void run_clock(const struct story *s, uint64_t at_ms, char ret[static 24]);
