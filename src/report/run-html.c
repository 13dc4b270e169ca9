#include "report/run.h"

#include <string.h>
#include <time.h>

#include "base/units.h"
#include "report/document.h"
#include "report/html.h"

static const char *kind_of(enum story_verdict verdict)
{
	static const char *const kinds[] = { [STORY_WELL] = "good",
					     [STORY_HEALED] = "good",
					     [STORY_FAILED] = "problem",
					     [STORY_UNFINISHED] = "undecided" };

	return kinds[verdict];
}

static const struct story_attempt *last_of(const struct story *s)
{
	return s->attempt_count ? &s->attempts[s->attempt_count - 1] : NULL;
}

/* ---- the beginning ---- */

/* On which host and when it began; a pseudonym tells nobody which host it was. */
static void whose(const struct run_report *r, struct buf *out)
{
	const struct story_attempt *first = r->story->attempt_count ? r->story->attempts : NULL;
	time_t start = first ? (time_t)(first->start_ms / 1000) : 0;
	char when[32] = "";
	struct tm t;

	buf_text(out, "<p class=\"over\">rocsteady run");
	if (first && !r->scrubbed && first->host[0])
		html(out, " \xc2\xb7 <b>%s</b>", first->host);
	if (start > 0 && gmtime_r(&start, &t))
		strftime(when, sizeof(when), " \xc2\xb7 %Y-%m-%d %H:%M UTC", &t);
	html(out, "%s</p>\n", when);
}

static void top(const struct run_report *r, struct buf *out)
{
	const struct story *s = r->story;
	struct arena a = { 0 };
	const char *sentence = story_sentence(s, &a);

	html_begin(out, sentence);
	buf_text(out, "<header>\n");
	whose(r, out);
	html(out, "<h1><span class=\"%s\">%s</span></h1>\n", kind_of(story_verdict(s)), sentence);
	if (s->attempt_count > 0)
		html(out, "<pre><code>%s</code></pre>\n", s->attempts[0].command);
	buf_text(out, "</header>\n<main>\n");
	arena_done(&a);
}

static void add_steps(const char *steps, struct buf *out)
{
	struct document d = { 0 };

	document_add_lines(&d, &d.root, steps);
	document_html.write(&d, NULL, out);
	document_done(&d);
}

/* Remedies for what made the last attempt fail, or for a cause of before the start. */
static void helps(const struct story *s, const char *cause, struct buf *out)
{
	size_t count = 0;

	for (size_t i = 0; i < s->help_count; i++) {
		const struct story_help *h = &s->helps[i];

		if (cause ? !h->before_start || strcmp(h->cause, cause) != 0
			  : h->before_start || h->attempt != s->attempt_count)
			continue;
		if (count++ == 0)
			buf_text(out, cause ? "<ul>" : "<h3>Do this</h3><ul>");
		html(out, "<li>%s", h->title);
		if (h->command[0])
			html(out, ": <code>%s</code>", h->command);
		add_steps(h->steps, out);
		buf_text(out, "</li>\n");
	}
	buf_text(out, count ? "</ul>" : "");
}

static void said(const struct story *s, struct buf *out)
{
	const struct story_attempt *last = last_of(s);
	struct span rest = span_of(last ? last->said : ""), line;

	if (rest.len == 0)
		return;
	html(out, "<section><h2>Diagnosis</h2>\n<article class=\"finding %s\">",
	     kind_of(story_verdict(s)));
	while (span_line(&rest, &line))
		if (!run_is_elsewhere(line))
			html(out, "<p>%.*s</p>\n", (int)line.len, line.data);
	helps(s, NULL, out);
	buf_text(out, "</article></section>\n");
}

/* ---- what happened ---- */

static void event_row(const struct story *s, const struct story_event *e, size_t number,
		      struct buf *out)
{
	struct buf says BUF_SCOPED = { 0 };
	char when[24];

	run_clock(s, e->at_ms, when);
	run_event_says(e, &says);
	html(out, "<tr><th scope=\"row\">%zu</th><td>%s</td><td>%s</td><td>%s", number, when,
	     run_event_name(e), says.data);
	if (e->where[0] && (e->kind == STORY_FAILURE || e->kind == STORY_KERNEL))
		html(out, " <span class=\"dim\">%s</span>", e->where);
	if (e->text[0] && e->kind == STORY_HANG)
		html(out, "<br>%s", e->text);
	else if (e->text[0] && e->kind != STORY_EVENT)
		html(out, "<br><code>%s</code>", e->text);
	if (e->proof[0])
		html(out, "<br>stopped because %s", e->proof);
	if (e->means[0])
		html(out, "<br>%s", e->means);
	if (e->frames[0])
		html(out, "<pre><code>%s</code></pre>", e->frames);
	if (e->python[0])
		html(out, "<br>%s", e->python);
	if (e->file[0])
		html(out, "<br><span class=\"dim\">stacks: %s</span>", e->file);
	buf_text(out, "</td></tr>\n");
}

static void events(const struct story *s, struct buf *out)
{
	size_t number = 0;

	for (size_t i = 0; i < s->event_count; i++) {
		if (!run_is_told(s, &s->events[i]))
			continue;
		if (number++ == 0)
			buf_text(
				out,
				"<section><h2>Timeline of events</h2>\n<div class=\"wide\"><table class=\"stack events\"><caption>Time since the start; the numbers are those on the timeline.</caption>"
				"<thead><tr><th>no.</th><th>time</th><th>kind</th><th>what</th></tr></thead>\n<tbody>");
		event_row(s, &s->events[i], number, out);
	}
	if (number > 0)
		buf_text(out, "</tbody></table></div></section>\n");
}

/* ---- the output ---- */

static void tail_of(const struct story *s, const struct story_attempt *a, unsigned int number,
		    struct buf *out)
{
	size_t count = 0;

	for (size_t i = 0; i < s->tail_count; i++) {
		const struct story_tail *t = &s->tails[i];

		if (t->attempt != number)
			continue;
		if (count++ == 0)
			html(out,
			     "<details%s><summary>The last lines of attempt %u</summary><pre><code>",
			     a == last_of(s) && story_verdict(s) == STORY_FAILED ? " open" : "",
			     number);
		html(out, "%s\n", t->text);
	}
	buf_text(out, count ? "</code></pre></details>\n" : "");
}

static void tails(const struct story *s, struct buf *out)
{
	if (s->tail_count == 0)
		return;
	buf_text(out, "<section><h2>Output</h2>\n");
	for (size_t i = 0; i < s->attempt_count; i++)
		tail_of(s, &s->attempts[i], (unsigned int)i + 1, out);
	buf_text(out, "</section>\n");
}

/* ---- attempts ---- */

static void change(const struct story_change *c, struct buf *out)
{
	if (c->harmful)
		html(out, "<li><code>%s=%s</code> is harmful: %s</li>", c->name, c->value, c->says);
	else if (c->set)
		html(out, "<li><code>%s=%s</code> set: %s", c->name, c->value, c->says);
	else
		html(out, "<li><code>%s</code> unset: %s", c->name, c->says);
	if (!c->harmful) {
		if (c->source[0])
			html(out, " <span class=\"dim\">(%s)</span>", c->source);
		buf_text(out, "</li>");
	}
}

static void changes_of(const struct story *s, size_t attempt, bool before, struct buf *out)
{
	size_t count = 0;

	for (size_t i = 0; i < s->change_count; i++) {
		const struct story_change *c = &s->changes[i];

		if (c->attempt != attempt || c->before_start != before)
			continue;
		buf_text(out, count++ == 0 ? "<ul>" : "");
		change(c, out);
	}
	buf_text(out, count ? "</ul>" : "nothing");
}

static void attempt_row(const struct story *s, size_t i, struct buf *out)
{
	struct buf work BUF_SCOPED = { 0 };
	struct span rest, line;
	const struct story_attempt *a = &s->attempts[i];
	char took[UNITS_MAX] = "";

	if (a->last_ms > a->start_ms)
		units_seconds((a->last_ms - a->start_ms + 500) / 1000, took);
	html(out, "<tr><th scope=\"row\">%u</th><td data-name=\"changed\">", a->number);
	changes_of(s, i + 1, false, out);
	if (a->resume[0])
		html(out, "<div>resumed with <code>%s</code></div>", a->resume);
	html(out, "</td><td data-name=\"because\">%s",
	     a->why[0] ? a->why
	     : i == 0  ? "first run, unchanged"
		       : "");
	if (a->why_cause[0])
		html(out, " <code>%s</code>", a->why_cause);
	html(out, "</td><td data-name=\"outcome\">%s %s",
	     a->ending[0] ? a->ending : "no exit recorded", a->ending_word);
	if (a->outcome_text[0])
		html(out, "<div>%s</div>", a->outcome_text);
	run_work_says(s, i, &work);
	rest = buf_get(&work);
	while (s->attempt_count > 1 && span_line(&rest, &line))
		html(out, "<div>%.*s</div>", (int)line.len, line.data);
	html(out, "</td><td class=\"number\" data-name=\"took\">%s</td></tr>\n", took);
}

static void attempts(const struct story *s, struct buf *out)
{
	bool tells = s->attempt_count > 1;

	for (size_t i = 0; i < s->attempt_count; i++)
		tells |= s->attempts[i].outcome[0] != '\0';
	if (!tells)
		return;
	buf_text(
		out,
		"<section><h2>Attempts</h2>\n<div class=\"wide\"><table class=\"stack attempts\"><caption>What was changed for each attempt, why, and how it ended.</caption>"
		"<thead><tr><th>no.</th><th>changed</th><th>because</th><th>outcome</th><th class=\"number\">took</th></tr></thead>\n<tbody>");
	for (size_t i = 0; i < s->attempt_count; i++)
		attempt_row(s, i, out);
	buf_text(out, "</tbody></table></div></section>\n");
}

/* ---- surroundings ---- */

static void preflight(const struct story *s, struct buf *out)
{
	bool changed = false;

	for (size_t i = 0; i < s->change_count; i++)
		changed |= s->changes[i].before_start;
	if (s->finding_count == 0 && !changed)
		return;
	buf_text(out, "<section><h2>Before the start</h2>\n<ul>");
	for (size_t i = 0; i < s->finding_count; i++) {
		const struct story_finding *f = &s->findings[i];

		buf_text(out, "<li>");
		html_mark(out, strcmp(f->severity, "problem") == 0 ? "problem" : "warning",
			  f->severity);
		html(out, " %s <code>%s</code> <span class=\"dim\">%s</span>\n", f->title, f->cause,
		     f->subject);
		helps(s, f->cause, out);
		buf_text(out, "</li>\n");
	}
	buf_text(out, "</ul>\n");
	if (changed) {
		buf_text(out, "<h3>Variables</h3>");
		changes_of(s, 1, true, out);
	}
	buf_text(out, "</section>\n");
}

static void pair(struct buf *out, const char *name, const char *value)
{
	if (value[0])
		html(out, "<dt>%s</dt><dd>%s</dd>", name, value);
}

static void surroundings(const struct story *s, struct buf *out)
{
	const struct story_attempt *a = s->attempts;
	struct arena arena = { 0 };

	if (s->attempt_count == 0)
		return;
	buf_text(out, "<section><h2>Environment</h2>\n<dl class=\"pairs\">");
	pair(out, "directory", a->directory);
	pair(out, "host", a->host);
	if (last_of(s)->out >= 0)
		html(out, "<dt>output</dt><dd>%lld and %lld bytes, %lld not scanned</dd>",
		     (long long)last_of(s)->out, (long long)last_of(s)->err,
		     (long long)last_of(s)->unscanned);
	pair(out, "lost", story_lost(last_of(s), &arena));
	arena_done(&arena);
	html(out, "<dt>samples</dt><dd>%zu, %zu points of progress</dd></dl>\n", s->sample_count,
	     s->point_count);
	if (s->variable_count > 0) {
		html(out,
		     "<details><summary>%zu variables of the job</summary><div class=\"wide\"><table><caption>As the job received them; secret values are not kept.</caption><tbody>",
		     s->variable_count);
		for (size_t i = 0; i < s->variable_count; i++)
			html(out,
			     "<tr><th scope=\"row\"><code>%s</code></th><td><code>%s</code></td></tr>\n",
			     s->variables[i].name, s->variables[i].value);
		buf_text(out, "</tbody></table></div></details>\n");
	}
	buf_text(out, "</section>\n");
}

static void made(const struct run_report *r, struct buf *out)
{
	const struct story_attempt *last = last_of(r->story);

	html(out, "</main>\n<footer>\n<p>Made by rocsteady %s from the journal%s of %s. ",
	     ROCSTEADY_VERSION, r->story->attempt_count > 1 ? "s" : "",
	     last && last->program[0] ? last->program : "rocsteady run");
	if (last && last->torn)
		buf_text(out, "The last journal is incomplete. ");
	if (r->story->left_out > 0)
		html(out, "%zu records were left out. ", r->story->left_out);
	buf_text(out,
		 r->scrubbed ? PAGE_SCRUBBED : "Not scrubbed: this page may hold names and hosts.");
	buf_text(out, "</p>\n</footer>\n");
}

void run_html(const struct run_report *r, struct buf *ret)
{
	top(r, ret);
	said(r->story, ret);
	buf_text(ret, "<section><h2>Timeline</h2>\n");
	run_lanes(r->story, ret);
	buf_text(ret, "</section>\n");
	events(r->story, ret);
	attempts(r->story, ret);
	tails(r->story, ret);
	preflight(r->story, ret);
	surroundings(r->story, ret);
	made(r, ret);
	html_end(ret);
}
