#include "base/array.h"
#include "report/run.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

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

static void write_helps(struct json *j, const struct story *s, size_t attempt)
{
	json_open(j, "helps", '[');
	for (size_t i = 0; i < s->help_count; i++) {
		const struct story_help *h = &s->helps[i];

		if (h->attempt != attempt)
			continue;
		json_open(j, NULL, '{');
		json_bool(j, "before_start", h->before_start);
		json_string(j, "cause", h->cause);
		json_string(j, "remedy", h->remedy);
		json_string(j, "title", h->title);
		json_string(j, "command", h->command);
		json_string(j, "steps", h->steps);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void write_work(struct json *j, const struct story *s, size_t i)
{
	struct story_work w = { .resumed = "", .unit = "", .again = NAN };

	(void)story_work_again(s, i, &w);
	json_string(j, "went_on_from", w.resumed);
	json_string(j, "again_unit", w.unit);
	json_real(j, "again", w.again);
	json_int(j, "again_ms", (int64_t)w.again_ms);
}

static void write_attempt(struct json *j, const struct story *s, size_t i)
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
	write_work(j, s, i);
	json_string(j, "ending", a->ending);
	json_string(j, "ending_word", a->ending_word);
	json_string(j, "outcome", a->outcome);
	json_string(j, "outcome_text", a->outcome_text);
	json_string(j, "said", a->said);
	number(j, "output_bytes", a->out);
	number(j, "error_bytes", a->err);
	number(j, "unscanned_bytes", a->unscanned);
	number(j, "lost_output_bytes", a->lost_out);
	number(j, "lost_error_bytes", a->lost_err);
	json_string(j, "lost_why", a->lost_why);
	json_bool(j, "torn", a->torn);
	json_open(j, "changes", '[');
	for (size_t k = 0; k < s->change_count; k++)
		if (s->changes[k].attempt == i + 1)
			write_change(j, &s->changes[k]);
	json_close(j, ']');
	write_helps(j, s, i + 1);
	json_close(j, '}');
}

static void write_event(struct json *j, const struct story_event *e)
{
	json_open_row(j);
	json_int(j, "at_ms", (int64_t)e->at_ms);
	json_string(j, "kind", kinds[e->kind]);
	json_int(j, "attempt", e->attempt);
	json_string(j, "name", e->name);
	json_string(j, "where", e->where);
	json_string(j, "text", e->text);
	json_string(j, "file", e->file);
	json_string(j, "proof", e->proof);
	json_string(j, "means", e->means);
	json_string(j, "step", e->step);
	json_string(j, "python", e->python);
	json_string(j, "frames", e->frames);
	json_close_row(j);
}

/* Members of a struct that are all of one type, by name. */
struct member {
	const char *key;
	size_t at;
};

static void write_numbers(struct json *j, const void *of, const struct member *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		int64_t value;

		memcpy(&value, (const char *)of + list[i].at, sizeof(value));
		number(j, list[i].key, value);
	}
}

#define MEMBER(type, name)                         \
	{                                          \
#name, offsetof(struct type, name) \
	}

static void write_sample(struct json *j, const struct story_sample *s)
{
	static const struct member own[] = {
		MEMBER(story_sample, host_used),   MEMBER(story_sample, host_total),
		MEMBER(story_sample, cgroup_used), MEMBER(story_sample, cgroup_max),
		MEMBER(story_sample, rss),         MEMBER(story_sample, cpu_ms),
	};
	static const struct member of_gpu[] = {
		MEMBER(story_gpu, used),   MEMBER(story_gpu, total), MEMBER(story_gpu, job),
		MEMBER(story_gpu, others), MEMBER(story_gpu, busy),  MEMBER(story_gpu, temp),
		MEMBER(story_gpu, sclk),   MEMBER(story_gpu, power),
	};

	json_open_row(j);
	json_int(j, "at_ms", (int64_t)s->at_ms);
	write_numbers(j, s, own, COUNT(own));
	json_open(j, "gpus", '[');
	for (size_t i = 0; i < s->gpu_count; i++) {
		json_open(j, NULL, '{');
		json_string(j, "address", s->gpus[i].address);
		write_numbers(j, &s->gpus[i], of_gpu, COUNT(of_gpu));
		json_close(j, '}');
	}
	json_close(j, ']');
	json_close_row(j);
}

static void write_point(struct json *j, const struct story_point *p)
{
	static const struct member own[] = {
		MEMBER(story_point, epoch),   MEMBER(story_point, epochs),
		MEMBER(story_point, batch),   MEMBER(story_point, batches),
		MEMBER(story_point, step),    MEMBER(story_point, steps),
		MEMBER(story_point, loss),    MEMBER(story_point, rate),
		MEMBER(story_point, percent),
	};

	json_open_row(j);
	json_int(j, "at_ms", (int64_t)p->at_ms);
	for (size_t i = 0; i < COUNT(own); i++) {
		double value;

		memcpy(&value, (const char *)p + own[i].at, sizeof(value));
		json_real(j, own[i].key, value);
	}
	json_close_row(j);
}

static void write_lists(struct json *j, const struct story *s)
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
	const struct story *s = r->story;
	struct json j = json_on(ret);
	struct arena a = { 0 };

	json_open(&j, NULL, '{');
	json_int(&j, "schema", SCHEMA);
	json_string(&j, "verdict", verdicts[story_verdict(s)]);
	json_string(&j, "sentence", story_sentence(s, &a));
	json_bool(&j, "scrubbed", r->scrubbed);
	write_lists(&j, s);
	json_open(&j, "tail", '[');
	for (size_t i = 0; i < s->tail_count; i++) {
		json_open_row(&j);
		json_int(&j, "attempt", s->tails[i].attempt);
		json_string(&j, "stream", s->tails[i].is_err ? "stderr" : "stdout");
		json_string(&j, "text", s->tails[i].text);
		json_close_row(&j);
	}
	json_close(&j, ']');
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
