#include "report/run.h"

#include <string.h>
#include <time.h>

#include "base/text.h"
#include "base/units.h"

#define COMMAND_MAX  160 /* bytes */
#define FRAMES_SHOWN 12
#define TAIL_SHOWN   12 /* lines of output */

static enum page_mark mark_of(enum story_verdict verdict)
{
	static const enum page_mark marks[] = { [STORY_WELL] = PAGE_GOOD,
						[STORY_HEALED] = PAGE_GOOD,
						[STORY_FAILED] = PAGE_PROBLEM,
						[STORY_UNFINISHED] = PAGE_UNDECIDED };

	return marks[verdict];
}

static void wrapped(struct page *p, size_t indent, const char *text)
{
	buf_addf(p->out, "%*s", (int)indent, "");
	page_wrap(p, indent, indent + 2, text);
}

/* A program that stands in the command itself is not told whole. */
static const char *command_of(const struct story *s, struct arena *a)
{
	struct span all = span_of(s->attempt_count ? s->attempts[0].command : "");
	struct span text = text_cut(all, COMMAND_MAX);

	if (text.len == all.len)
		return all.data;
	return arena_format(a, "%.*s ...", (int)text.len, text.data);
}

static void changes(struct page *p, const struct story *s, size_t attempt)
{
	for (size_t i = 0; i < s->change_count; i++) {
		const struct story_change *c = &s->changes[i];
		struct buf text BUF_SCOPED = { 0 };

		if (c->attempt != attempt)
			continue;
		if (c->harmful)
			buf_addf(&text, "%s=%s is harmful: %s", c->name, c->value, c->says);
		else if (c->set)
			buf_addf(&text, "%s=%s: %s", c->name, c->value, c->says);
		else
			buf_addf(&text, "%s unset: %s", c->name, c->says);
		wrapped(p, 5, text.data);
	}
}

static void work(struct page *p, const struct story *s, size_t attempt)
{
	struct buf text BUF_SCOPED = { 0 };
	struct span rest, line;
	struct arena a = { 0 };

	run_work_says(s, attempt, &text);
	rest = buf_get(&text);
	while (s->attempt_count > 1 && span_line(&rest, &line))
		wrapped(p, 5, arena_text(&a, line));
	arena_done(&a);
}

static void attempts(struct page *p, const struct story *s)
{
	for (size_t i = 0; s->attempts && i < s->attempt_count; i++) {
		const struct story_attempt *a = &s->attempts[i];
		struct buf text BUF_SCOPED = { 0 };

		if (s->attempt_count == 1 && !a->outcome[0])
			continue;
		buf_addf(&text, "attempt %u: %s %s", a->number,
			 a->ending[0] ? a->ending : "no exit recorded", a->ending_word);
		if (a->outcome_text[0])
			buf_addf(&text, "; %s", a->outcome_text);
		wrapped(p, 3, text.data);
		buf_clear(&text);
		if (a->why_cause[0])
			buf_addf(&text, "reason: %s: %s", a->why_cause, a->why);
		else if (a->why[0])
			buf_addf(&text, "reason: %s", a->why);
		if (a->resume[0])
			buf_addf(&text, "%sresumed with %s", text.len ? "; " : "", a->resume);
		if (text.len > 0)
			wrapped(p, 5, text.data);
		changes(p, s, i + 1);
		work(p, s, i);
	}
}

/* What it waited for, why there are no Python stacks, and its innermost frames. */
static void hang_details(const struct story_event *e, struct buf *out)
{
	if (e->means[0])
		buf_addf(out, "; %s", e->means);
	if (e->python[0])
		buf_addf(out, "; %s", e->python);
}

static void frames(struct page *p, const struct story_event *e)
{
	struct span rest = span_of(e->frames), line;

	for (int i = 0; i < FRAMES_SHOWN && span_line(&rest, &line);) {
		if (span_trim(line).len == 0)
			continue;
		line = span_starts(line, "    ") ? (struct span){ line.data + 4, line.len - 4 }
						 : line;
		buf_addf(p->out, "%15s%.*s\n", "", (int)line.len, line.data);
		i++;
	}
}

static void events(struct page *p, const struct story *s)
{
	bool any = false;

	for (size_t i = 0; i < s->event_count; i++) {
		const struct story_event *e = &s->events[i];
		struct buf text BUF_SCOPED = { 0 };
		char when[24];

		if (!run_is_told(s, e))
			continue;
		buf_text(p->out, any ? "" : "\n   Timeline (time since the start)\n");
		any = true;
		run_clock(s, e->at_ms, when);
		buf_addf(&text, "%s: ", run_event_name(e));
		run_event_says(e, &text);
		if (e->where[0] && (e->kind == STORY_FAILURE || e->kind == STORY_KERNEL))
			buf_addf(&text, ", %s", e->where);
		if (e->text[0] && e->kind != STORY_EVENT)
			buf_addf(&text, ": %s", e->text);
		if (e->proof[0])
			buf_addf(&text, "; stopped because %s", e->proof);
		if (e->file[0])
			buf_addf(&text, "; stacks: %s", e->file);
		hang_details(e, &text);
		page_row(p, 5, 15, when, text.data, "");
		frames(p, e);
	}
}

static void helps(struct page *p, const struct story *s)
{
	struct span rest, line;
	bool any = false;

	for (size_t i = 0; i < s->help_count; i++) {
		const struct story_help *h = &s->helps[i];
		struct buf text BUF_SCOPED = { 0 };

		if (!h->before_start && h->attempt != s->attempt_count)
			continue;
		buf_text(p->out, any ? "" : "\n   Do this\n");
		any = true;
		buf_addf(&text, "%s%s%s", h->title, h->command[0] ? ": " : "", h->command);
		wrapped(p, 5, text.data);
		rest = span_of(h->steps);
		while (span_line(&rest, &line))
			buf_addf(p->out, "       %.*s\n", (int)line.len, line.data);
	}
}

/* The end of what the last attempt printed: a traceback, as a rule. */
static void tail(struct page *p, const struct story *s)
{
	size_t count = 0, left;

	for (size_t i = 0; i < s->tail_count; i++)
		count += s->tails[i].attempt == s->attempt_count && s->tails[i].text[0];
	left = count;
	for (size_t i = 0; i < s->tail_count; i++) {
		const struct story_tail *t = &s->tails[i];

		if (t->attempt != s->attempt_count || !t->text[0] || left-- > TAIL_SHOWN)
			continue;
		if (left + 1 == (count < TAIL_SHOWN ? count : TAIL_SHOWN))
			buf_addf(p->out, "\n   Last lines of its output, %s\n",
				 count > TAIL_SHOWN ? "more with --verbose" : "all that is kept");
		buf_addf(p->out, "     %s\n", t->text);
	}
}

/* The highest of each GPU. */
static void memory(struct page *p, const struct story *s)
{
	const struct story_sample *first = s->sample_count ? &s->samples[0] : NULL;

	for (size_t g = 0; first && g < first->gpu_count; g++) {
		const char *address = first->gpus[g].address;
		char peak[UNITS_MAX], total[UNITS_MAX];
		int64_t most = -1, all = first->gpus[g].total;

		for (size_t i = 0; i < s->sample_count; i++)
			for (size_t k = 0; k < s->samples[i].gpu_count; k++)
				if (strcmp(s->samples[i].gpus[k].address, address) == 0 &&
				    s->samples[i].gpus[k].used > most)
					most = s->samples[i].gpus[k].used;
		if (most < 0 || all <= 0)
			continue;
		units_bytes((uint64_t)most, peak);
		units_bytes((uint64_t)all, total);
		buf_addf(p->out, "%s   VRAM %s: peak %s of %s\n", g == 0 ? "\n" : "", address, peak,
			 total);
	}
}

void run_text_brief(const struct run_report *r, const char *directory, struct page *p)
{
	const struct story *s = r->story;
	time_t seconds = s->attempt_count ? (time_t)(s->attempts[0].start_ms / 1000) : 0;
	struct buf text BUF_SCOPED = { 0 };
	struct arena a = { 0 };
	char when[32] = "";
	struct tm t;

	if (seconds && localtime_r(&seconds, &t))
		strftime(when, sizeof(when), "%Y-%m-%d %H:%M", &t);
	page_mark(p, mark_of(story_verdict(s)));
	page_wrap(p, 3, 3, story_sentence(s, &a));
	buf_addf(&text, "%s  %s", when, command_of(s, &a));
	page_dim(p, 3, text.data);
	buf_clear(&text);
	buf_text(&text, "rocsteady run --report ");
	text_shell(&text, span_of(directory));
	page_dim(p, 3, text.data);
	arena_done(&a);
}

void run_text(const struct run_report *r, struct page *p)
{
	const struct story *s = r->story;
	const struct story_attempt *last =
		s->attempt_count ? &s->attempts[s->attempt_count - 1] : NULL;
	struct span rest = span_of(last ? last->said : ""), line;
	struct arena a = { 0 };

	page_mark(p, mark_of(story_verdict(s)));
	page_wrap(p, 3, 3, story_sentence(s, &a));
	if (last)
		page_dim(p, 3, command_of(s, &a));
	buf_text(p->out, rest.len > 0 ? "\n" : "");
	while (span_line(&rest, &line))
		if (!run_is_elsewhere(line))
			wrapped(p, 3, arena_text(&a, line));
	buf_text(p->out, s->attempt_count > 1 ? "\n" : "");
	attempts(p, s);
	if (story_verdict(s) == STORY_FAILED)
		helps(p, s);
	events(p, s);
	if (story_verdict(s) != STORY_WELL && story_verdict(s) != STORY_HEALED)
		tail(p, s);
	memory(p, s);
	if (last && !last->ending[0] && story_lost(last, &a)[0]) /* else it was said */
		wrapped(p, 3, story_lost(last, &a));
	if (last && last->torn)
		wrapped(p, 3, "the journal is incomplete after this point");
	buf_text(p->out, "\n   All records: --verbose. HTML page: --format html -o FILE\n");
	arena_done(&a);
}
