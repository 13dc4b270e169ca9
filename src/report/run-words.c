#include "report/run.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"

/* ---- what the supervisor saw and did ---- */

static void add_text(struct buf *out, const char *text)
{
	buf_text(out, text);
}

static void add_signal(struct buf *out, const char *number)
{
	const char *name = sigabbrev_np(atoi(number));

	buf_addf(out, name ? "SIG%s" : "signal %s", name ? name : number);
}

static void add_count(struct buf *out, const char *number)
{
	buf_addf(out, "%s process%s", number, strcmp(number, "1") == 0 ? "" : "es");
}

/* "ADDRESS BYTES" */
static void add_memory(struct buf *out, const char *text)
{
	struct span rest = span_of(text), address = { "", 0 }, word;
	char bytes[UNITS_MAX];
	uint64_t n;

	(void)span_word(&rest, &address);
	buf_span(out, address);
	if (span_word(&rest, &word) && span_u64(word, &n)) {
		units_bytes(n, bytes);
		buf_addf(out, ", %s", bytes);
	}
}

/* Those that are worth a place; the rest is bookkeeping. */
static const struct told {
	const char *name, *says;
	void (*add)(struct buf *out, const char *text); /* what follows; NULL: nothing */
} told[] = {
	{ "keeper-died", "rocsteady was killed; the watcher continued alone", NULL },
	{ "sampler-stuck", "files of a GPU or a process do not answer", NULL },
	{ "vram-left", "VRAM still in use after the job: ", add_memory },
	{ "stuck", "killed but still stuck in the kernel: process ", add_text },
	{ "stopped", "stopped by ", add_signal },
	{ "killed", "ignored SIGTERM and was killed: ", add_count },
	{ "kernel-log", "the kernel log could not be read: ", add_text },
};

static const struct told *told_of(const struct story_event *e)
{
	for (size_t i = 0; i < sizeof(told) / sizeof(told[0]); i++)
		if (strcmp(e->name, told[i].name) == 0)
			return &told[i];
	return NULL;
}

static bool ended_well(const struct story *s, unsigned int attempt)
{
	const struct story_attempt *a =
		attempt > 0 && attempt <= s->attempt_count ? &s->attempts[attempt - 1] : NULL;

	return a && strcmp(a->ending, "status") == 0 && strcmp(a->ending_word, "0") == 0;
}

bool run_is_told(const struct story *s, const struct story_event *e)
{
	if (e->kind == STORY_FAILURE)
		return !ended_well(s, e->attempt);
	return e->kind != STORY_EVENT || told_of(e);
}

bool run_is_elsewhere(struct span line)
{
	return span_starts(line, "see: ") || span_starts(line, "do this: ");
}

void run_event_says(const struct story_event *e, struct buf *out)
{
	const struct told *t = e->kind == STORY_EVENT ? told_of(e) : NULL;

	buf_text(out, t ? t->says : e->name);
	if (t && t->add)
		t->add(out, e->text);
	if (e->kind == STORY_HANG)
		buf_addf(out, " for %s s", e->where);
	else if (e->kind == STORY_HANG_OVER)
		buf_addf(out, "after %s s", e->where);
}

/* ---- what was done, and done again ---- */

static const struct story_event *first_failure(const struct story *s, unsigned int attempt)
{
	for (size_t i = 0; i < s->event_count; i++)
		if (s->events[i].kind == STORY_FAILURE && s->events[i].attempt == attempt)
			return &s->events[i];
	return NULL;
}

static void add_again(const struct story_work *w, struct buf *out)
{
	char took[UNITS_MAX];

	if (isnan(w->again))
		return;
	if (w->again == 0) {
		buf_addf(out, "No work was lost: it began at %s %.0f\n", w->unit, w->began);
		return;
	}
	buf_addf(out, "Done again: %.0f %s%s, from %s %.0f on", w->again, w->unit,
		 w->again == 1                   ? ""
		 : strcmp(w->unit, "batch") == 0 ? "es"
						 : "s",
		 w->unit, w->began);
	if (w->again_ms > 0) {
		units_seconds((w->again_ms + 500) / 1000, took);
		buf_addf(out, ", which had taken %s", took);
	}
	buf_char(out, '\n');
}

void run_work_says(const struct story *s, size_t attempt, struct buf *out)
{
	const struct story_attempt *a = &s->attempts[attempt];
	const struct story_event *f = first_failure(s, (unsigned int)attempt + 1);
	struct span reached = story_reached(a);
	struct story_work w;

	if (story_work_again(s, attempt, &w)) {
		if (w.resumed[0])
			buf_addf(out, "It went on from: %s\n", w.resumed);
		else
			buf_text(out, "It printed nothing about a checkpoint\n");
		add_again(&w, out);
	}
	if (f && !ended_well(s, (unsigned int)attempt + 1))
		buf_addf(out, "Failed with: %s\n", f->text);
	if (reached.len > 0)
		buf_addf(out, "It had reached %.*s\n", (int)reached.len, reached.data);
}

/* ---- names and times ---- */

const char *run_event_name(const struct story_event *e)
{
	static const char *const names[] = { [STORY_FAILURE] = "failure line",
					     [STORY_KERNEL] = "kernel log",
					     [STORY_HANG] = "no progress",
					     [STORY_HANG_OVER] = "progress again",
					     [STORY_EVENT] = "supervisor" };

	return names[e->kind];
}

void run_clock(const struct story *s, uint64_t at_ms, char ret[static 24])
{
	uint64_t start = s->attempt_count ? s->attempts[0].start_ms : at_ms;
	unsigned long long t = at_ms > start ? (at_ms - start) / 1000 : 0;

	if (t >= 3600)
		snprintf(ret, 24, "%llu:%02llu:%02llu", t / 3600, t / 60 % 60, t % 60);
	else
		snprintf(ret, 24, "%llu:%02llu", t / 60, t % 60);
}
