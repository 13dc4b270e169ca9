#include "report/run.h"

#include <math.h>

#include "base/json-write.h"

#define SCHEMA 1 /* only grows */

static const char *const verdicts[] = { [STORY_WELL] = "well",
					[STORY_HEALED] = "healed",
					[STORY_FAILED] = "failed",
					[STORY_UNFINISHED] = "unfinished" };
static const char *const kinds[] = { [STORY_FAILURE] = "failure",
				     [STORY_KERNEL] = "kernel",
				     [STORY_HANG] = "hang",
				     [STORY_HANG_OVER] = "hang-over",
				     [STORY_EVENT] = "event" };

/* Negative is not known. */
static void number(struct json *j, const char *key, int64_t value)
{
	if (value < 0)
		json_null(j, key);
	else
		json_int(j, key, value);
}

static void write_change(struct json *j, const struct story_change *c)
{
	json_open(j, NULL, '{');
	json_string(j, "kind", c->harmful ? "harmful" : c->set ? "set" : "unset");
	json_bool(j, "before_start", c->before_start);
	json_string(j, "name", c->name);
	json_string(j, "value", c->value);
	json_string(j, "remedy", c->remedy);
	json_string(j, "says", c->says);
	json_string(j, "source", c->source);
	json_close(j, '}');
}

static void write_attempt(struct json *j, const struct run_story *s, size_t i)
{
	const struct story_attempt *a = &s->attempts[i];

	json_open(j, NULL, '{');
	json_int(j, "number", a->number);
	json_int(j, "start_ms", (int64_t)a->start_ms);
	number(j, "end_ms", a->end_ms ? (int64_t)a->end_ms : -1);
	json_string(j, "command", a->command);
	json_string(j, "directory", a->directory);
	json_string(j, "host", a->host);
	json_string(j, "why_cause", a->why_cause);
	json_string(j, "why", a->why);
	json_string(j, "resume", a->resume);
	json_string(j, "ending", a->ending);
	json_string(j, "ending_word", a->ending_word);
	json_string(j, "outcome", a->outcome);
	json_string(j, "outcome_text", a->outcome_text);
	json_string(j, "said", a->said);
	number(j, "output_bytes", a->out);
	number(j, "error_bytes", a->err);
	number(j, "unscanned_bytes", a->unscanned);
	json_bool(j, "torn", a->torn);
	json_open(j, "changes", '[');
	for (size_t k = 0; k < s->change_count; k++)
		if (s->changes[k].attempt == i + 1)
			write_change(j, &s->changes[k]);
	json_close(j, ']');
	json_close(j, '}');
}

static void write_event(struct json *j, const struct story_event *e)
{
	json_open(j, NULL, '{');
	j->compact = true;
	json_int(j, "at_ms", (int64_t)e->at_ms);
	json_string(j, "kind", kinds[e->kind]);
	json_int(j, "attempt", e->attempt);
	json_string(j, "name", e->name);
	json_string(j, "where", e->where);
	json_string(j, "text", e->text);
	json_string(j, "file", e->file);
	json_string(j, "proof", e->proof);
	json_close(j, '}');
	j->compact = false;
}

static void write_sample(struct json *j, const struct story_sample *s)
{
	json_open(j, NULL, '{');
	j->compact = true;
	json_int(j, "at_ms", (int64_t)s->at_ms);
	number(j, "host_used", s->host_used);
	number(j, "host_total", s->host_total);
	number(j, "cgroup_used", s->cgroup_used);
	number(j, "cgroup_max", s->cgroup_max);
	number(j, "rss", s->rss);
	json_open(j, "gpus", '[');
	for (size_t i = 0; i < s->gpu_count; i++) {
		const struct story_gpu *g = &s->gpus[i];

		json_open(j, NULL, '{');
		json_string(j, "address", g->address);
		number(j, "used", g->used);
		number(j, "total", g->total);
		number(j, "job", g->job);
		number(j, "others", g->others);
		number(j, "busy", g->busy);
		number(j, "temp", g->temp);
		json_close(j, '}');
	}
	json_close(j, ']');
	json_close(j, '}');
	j->compact = false;
}

static void write_point(struct json *j, const struct story_point *p)
{
	json_open(j, NULL, '{');
	j->compact = true;
	json_int(j, "at_ms", (int64_t)p->at_ms);
	json_real(j, "epoch", p->epoch);
	json_real(j, "epochs", p->epochs);
	json_real(j, "batch", p->batch);
	json_real(j, "batches", p->batches);
	json_real(j, "step", p->step);
	json_real(j, "steps", p->steps);
	json_real(j, "loss", p->loss);
	json_real(j, "rate", p->rate);
	json_real(j, "percent", p->percent);
	json_close(j, '}');
	j->compact = false;
}

static void write_lists(struct json *j, const struct run_story *s)
{
	json_open(j, "attempts", '[');
	for (size_t i = 0; i < s->attempt_count; i++)
		write_attempt(j, s, i);
	json_close(j, ']');
	json_open(j, "findings", '[');
	for (size_t i = 0; i < s->finding_count; i++) {
		json_open(j, NULL, '{');
		json_string(j, "severity", s->findings[i].severity);
		json_string(j, "cause", s->findings[i].cause);
		json_string(j, "subject", s->findings[i].subject);
		json_string(j, "title", s->findings[i].title);
		json_close(j, '}');
	}
	json_close(j, ']');
	json_open(j, "events", '[');
	for (size_t i = 0; i < s->event_count; i++)
		write_event(j, &s->events[i]);
	json_close(j, ']');
	json_open(j, "progress", '[');
	for (size_t i = 0; i < s->point_count; i++)
		write_point(j, &s->points[i]);
	json_close(j, ']');
	json_open(j, "samples", '[');
	for (size_t i = 0; i < s->sample_count; i++)
		write_sample(j, &s->samples[i]);
	json_close(j, ']');
}

void run_json(const struct run_report *r, struct buf *ret)
{
	const struct run_story *s = r->story;
	struct json j = json_on(ret);
	struct arena a = { 0 };

	json_open(&j, NULL, '{');
	json_int(&j, "schema", SCHEMA);
	json_string(&j, "verdict", verdicts[story_verdict(s)]);
	json_string(&j, "sentence", story_sentence(s, &a));
	json_bool(&j, "scrubbed", r->scrubbed);
	write_lists(&j, s);
	json_open(&j, "variables", '[');
	for (size_t i = 0; i < s->variable_count; i++) {
		json_open(&j, NULL, '{');
		json_string(&j, "name", s->variables[i].name);
		json_string(&j, "value", s->variables[i].value);
		json_close(&j, '}');
	}
	json_close(&j, ']');
	json_int(&j, "left_out", (int64_t)s->left_out);
	json_close(&j, '}');
	arena_done(&a);
}
