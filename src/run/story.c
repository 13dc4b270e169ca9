#include "run/story.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

#define ATTEMPTS_MAX 99

/* ---- lists ---- */

/* Room for one more, zeroed; NULL beyond the bound. */
static void *more(struct run_story *s, void *list, size_t *count, size_t *cap, size_t size,
		  size_t most)
{
	char **bytes = list;

	if (*count == most) {
		s->left_out++;
		return NULL;
	}
	if (*count == *cap) {
		size_t room = *cap ? 2 * *cap : 16;
		char *grown = realloc(*bytes, room * size);

		if (!grown)
			return NULL;
		*bytes = grown;
		*cap = room;
	}
	memset(*bytes + *count * size, 0, size);
	return *bytes + (*count)++ * size;
}

#define MORE(s, one, most) \
	more((s), &(s)->one##s, &(s)->one##_count, &(s)->one##_cap, sizeof(*(s)->one##s), (most))

/* ---- words ---- */

/* The next word, turned back and made safe; empty at the end of the line or for "-". */
static const char *word(struct run_story *s, struct span *line)
{
	struct buf raw BUF_SCOPED = { 0 }, clean BUF_SCOPED = { 0 };
	struct span w;

	if (!span_word(line, &w) || span_is(w, "-"))
		return "";
	text_clean(&clean, text_unword(&raw, w) ? buf_get(&raw) : w, false);
	return arena_text(&s->arena, buf_get(&clean));
}

/* All that is left of the line, with blanks between. */
static const char *words(struct run_story *s, struct span *line)
{
	struct buf all BUF_SCOPED = { 0 };
	const char *one;

	while (span_trim(*line).len > 0) {
		one = word(s, line);
		buf_addf(&all, "%s%s", all.len ? " " : "", one);
	}
	return arena_text(&s->arena, buf_get(&all));
}

static int64_t number(struct span *line)
{
	struct span w;
	int64_t value;

	return span_word(line, &w) && span_i64(w, &value) && value >= 0 ? value : -1;
}

static double real(struct span *line)
{
	struct span w;
	char text[40], *end;
	double value;

	if (!span_word(line, &w) || w.len == 0 || w.len >= sizeof(text))
		return NAN;
	memcpy(text, w.data, w.len);
	text[w.len] = '\0';
	value = strtod(text, &end);
	return *end ? NAN : value;
}

/* "name value name value ...": each into its place; names that nobody knows are passed over. */
struct named {
	const char *name;
	int64_t *values; /* as many as `count` follow the name */
	int count;
};

static void take_named(struct span line, const struct named *list, size_t count)
{
	struct span w;

	while (span_word(&line, &w))
		for (size_t i = 0; i < count; i++)
			if (span_is(w, list[i].name))
				for (int k = 0; k < list[i].count; k++)
					list[i].values[k] = number(&line);
}

/* ---- one kind each ---- */

static struct story_attempt *current(struct run_story *s)
{
	return s->attempt_count ? &s->attempts[s->attempt_count - 1] : NULL;
}

static void take_start(struct run_story *s, const struct diary_record *r)
{
	struct story_attempt *a = MORE(s, attempt, ATTEMPTS_MAX);
	struct span rest = r->payload, line, key;

	if (!a)
		return;
	*a = (struct story_attempt){ .number = (unsigned int)s->attempt_count,
				     .start_ms = r->at_ms,
				     .command = "",
				     .directory = "",
				     .host = "",
				     .program = "",
				     .why_cause = "",
				     .why = "",
				     .resume = "",
				     .outcome = "",
				     .outcome_text = "",
				     .ending = "",
				     .ending_word = "",
				     .said = "",
				     .out = -1,
				     .err = -1,
				     .unscanned = -1 };
	while (span_line(&rest, &line)) {
		struct story_pair *v;

		if (!span_word(&line, &key))
			continue;
		if (span_is(key, "command"))
			a->command = words(s, &line);
		else if (span_is(key, "directory"))
			a->directory = word(s, &line);
		else if (span_is(key, "host"))
			a->host = word(s, &line);
		else if (span_is(key, "program"))
			a->program = words(s, &line);
		else if (span_is(key, "variable") && s->attempt_count == 1 &&
			 (v = MORE(s, variable, STORY_OTHERS))) {
			v->name = word(s, &line);
			v->value = word(s, &line);
		}
	}
}

static void take_gpu(struct run_story *s, struct story_sample *sample, struct span line)
{
	struct story_gpu g = { .busy = -1, .temp = -1 };
	int64_t vram[2] = { -1, -1 };
	const struct named list[] = {
		{ "vram", vram, 2 },    { "job", &g.job, 1 },   { "others", &g.others, 1 },
		{ "busy", &g.busy, 1 }, { "temp", &g.temp, 1 },
	};
	const char *address = word(s, &line);

	if (sample->gpu_count == STORY_GPUS || strlen(address) >= sizeof(g.address))
		return;
	strcpy(g.address, address);
	g.job = g.others = -1;
	take_named(line, list, sizeof(list) / sizeof(list[0]));
	g.used = vram[0];
	g.total = vram[1];
	if (sample->gpu_count == 0)
		sample->gpus = arena_alloc(&s->arena, 16 * sizeof(g));
	else if (sample->gpu_count == 16) {
		struct story_gpu *all = arena_alloc(&s->arena, STORY_GPUS * sizeof(g));

		memcpy(all, sample->gpus, 16 * sizeof(g));
		sample->gpus = all;
	}
	sample->gpus[sample->gpu_count++] = g;
}

static void take_sample(struct run_story *s, const struct diary_record *r)
{
	struct story_sample *sample = MORE(s, sample, STORY_SAMPLES);
	struct span rest = r->payload, line, key;

	if (!sample)
		return;
	*sample = (struct story_sample){ .at_ms = r->at_ms,
					 .host_used = -1,
					 .host_total = -1,
					 .cgroup_used = -1,
					 .cgroup_max = -1,
					 .rss = -1 };
	while (span_line(&rest, &line)) {
		const struct named host[] = { { "used", &sample->host_used, 1 },
					      { "total", &sample->host_total, 1 } };
		const struct named group[] = { { "used", &sample->cgroup_used, 1 },
					       { "max", &sample->cgroup_max, 1 } };
		const struct named job[] = { { "rss", &sample->rss, 1 } };

		if (!span_word(&line, &key))
			continue;
		if (span_is(key, "gpu"))
			take_gpu(s, sample, line);
		else if (span_is(key, "host"))
			take_named(line, host, 2);
		else if (span_is(key, "cgroup"))
			take_named(line, group, 2);
		else if (span_is(key, "job"))
			take_named(line, job, 1);
	}
}

static void take_progress(struct run_story *s, const struct diary_record *r)
{
	struct story_point *p = MORE(s, point, STORY_SAMPLES);
	struct span line = r->payload, key;

	if (!p)
		return;
	*p = (struct story_point){ r->at_ms, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN };
	(void)span_word(&line, &key); /* the stream */
	while (span_word(&line, &key)) {
		const struct {
			const char *name;
			double *to;
		} keys[] = {
			{ "epoch", &p->epoch },     { "epochs", &p->epochs },
			{ "batch", &p->batch },     { "batches", &p->batches },
			{ "step", &p->step },       { "steps", &p->steps },
			{ "loss", &p->loss },       { "rate", &p->rate },
			{ "percent", &p->percent },
		};
		double value = real(&line);

		for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
			if (span_is(key, keys[i].name))
				*keys[i].to = value;
	}
}

static struct story_event *add_event(struct run_story *s, uint64_t at_ms,
				     enum story_event_kind kind)
{
	struct story_event *e = MORE(s, event, STORY_OTHERS);

	if (e)
		*e = (struct story_event){ .at_ms = at_ms,
					   .kind = kind,
					   .attempt = (unsigned int)s->attempt_count,
					   .name = "",
					   .where = "",
					   .text = "",
					   .file = "",
					   .proof = "" };
	return e;
}

static void take_failure(struct run_story *s, const struct diary_record *r)
{
	struct story_event *e = add_event(s, r->at_ms, STORY_FAILURE);
	struct span line = r->payload;
	const char *stream = word(s, &line), *at = word(s, &line);

	if (!e)
		return;
	e->where = arena_format(&s->arena, "%s:%s", stream, at);
	e->name = word(s, &line);
	e->text = words(s, &line);
}

static void take_kernel(struct run_story *s, const struct diary_record *r)
{
	struct story_event *e = add_event(s, r->at_ms, STORY_KERNEL);
	struct span line = r->payload;

	if (!e)
		return;
	e->name = word(s, &line);
	e->where = word(s, &line);
	e->text = words(s, &line);
}

static void take_event(struct run_story *s, const struct diary_record *r)
{
	struct story_event *e = add_event(s, r->at_ms, STORY_EVENT);
	struct span line = r->payload;

	if (!e)
		return;
	e->name = word(s, &line);
	e->text = words(s, &line);
}

/* "hang KIND SECONDS USUAL_MS SAYS", "proof SAYS", "file NAME", "over SECONDS". */
static void take_hang(struct run_story *s, const struct diary_record *r)
{
	struct span rest = r->payload, line, key;
	struct story_event *e = NULL;

	while (span_line(&rest, &line)) {
		bool over;

		if (!span_word(&line, &key))
			continue;
		over = span_is(key, "over");
		if (over || span_is(key, "hang")) {
			e = add_event(s, r->at_ms, over ? STORY_HANG_OVER : STORY_HANG);
			if (!e)
				return;
			e->name = over ? "" : word(s, &line);
			e->where = word(s, &line);
			if (!over)
				(void)number(&line);
			e->text = words(s, &line);
		} else if (span_is(key, "file") && e) {
			e->file = word(s, &line);
		} else if (span_is(key, "proof") && e) {
			e->proof = words(s, &line);
		}
	}
}

static bool take_change(struct run_story *s, struct span key, struct span line, bool before)
{
	bool set = span_is(key, "set"), harmful = span_is(key, "harmful");
	struct story_change *c;

	if (!set && !harmful && !span_is(key, "unset"))
		return false;
	c = MORE(s, change, STORY_OTHERS);
	if (!c)
		return true;
	*c = (struct story_change){ .attempt = (unsigned int)s->attempt_count,
				    .before_start = before,
				    .set = set,
				    .harmful = harmful,
				    .name = word(s, &line) };
	c->value = set || harmful ? word(s, &line) : "";
	c->remedy = harmful ? "" : word(s, &line);
	c->says = word(s, &line);
	c->source = words(s, &line);
	return true;
}

static void take_preflight(struct run_story *s, const struct diary_record *r)
{
	struct span rest = r->payload, line, key;

	while (span_line(&rest, &line)) {
		struct story_finding *f;

		if (!span_word(&line, &key) || take_change(s, key, line, true))
			continue;
		if (span_is(key, "took"))
			s->preflight_ms = number(&line);
		if (!span_is(key, "finding") || !(f = MORE(s, finding, STORY_OTHERS)))
			continue;
		f->severity = word(s, &line);
		f->cause = word(s, &line);
		f->subject = word(s, &line);
		f->title = words(s, &line);
	}
}

static void take_attempt(struct run_story *s, const struct diary_record *r)
{
	struct span rest = r->payload, line, key;
	struct story_attempt *a = current(s);

	while (a && span_line(&rest, &line)) {
		int64_t n;

		if (!span_word(&line, &key) || take_change(s, key, line, false))
			continue;
		if (span_is(key, "attempt") && (n = number(&line)) > 0) {
			a->number = (unsigned int)n;
			n = number(&line);
			a->most = n > 0 ? (unsigned int)n : 0;
		} else if (span_is(key, "why")) {
			a->why_cause = word(s, &line);
			a->why = words(s, &line);
		} else if (span_is(key, "resume")) {
			a->resume = words(s, &line);
		} else if (span_is(key, "outcome")) {
			a->outcome = word(s, &line);
			a->outcome_text = words(s, &line);
		}
	}
}

/* Counts of output are in records of their own and in the last one. */
static bool take_count(struct story_attempt *a, struct span key, struct span line)
{
	if (span_is(key, "out"))
		a->out = number(&line);
	else if (span_is(key, "err"))
		a->err = number(&line);
	else if (span_is(key, "unscanned"))
		a->unscanned = number(&line);
	else
		return false;
	return true;
}

static void take_output(struct run_story *s, const struct diary_record *r)
{
	struct span rest = r->payload, line, key;
	struct story_attempt *a = current(s);

	while (a && span_line(&rest, &line))
		if (span_word(&line, &key))
			take_count(a, key, line);
}

static void take_end(struct run_story *s, const struct diary_record *r)
{
	struct span rest = r->payload, line, key;
	struct story_attempt *a = current(s);
	struct buf said BUF_SCOPED = { 0 };

	if (!a)
		return;
	a->end_ms = r->at_ms;
	while (span_line(&rest, &line)) {
		if (!span_word(&line, &key) || take_count(a, key, line))
			continue;
		if (span_is(key, "said")) {
			buf_addf(&said, "%s\n", words(s, &line));
		} else if (span_is(key, "status") || span_is(key, "signal") ||
			   span_is(key, "unexecuted")) {
			a->ending = arena_text(&s->arena, key);
			a->ending_word = word(s, &line);
		}
	}
	a->said = arena_text(&s->arena, buf_get(&said));
}

void story_record(struct run_story *s, const struct diary_record *r)
{
	static void (*const takers[DIARY_KINDS])(struct run_story *,
						 const struct diary_record *) = {
		[DIARY_START] = take_start,
		[DIARY_OUTPUT] = take_output,
		[DIARY_FAILURE] = take_failure,
		[DIARY_EVENT] = take_event,
		[DIARY_END] = take_end,
		[DIARY_SAMPLE] = take_sample,
		[DIARY_PROGRESS] = take_progress,
		[DIARY_KERNEL] = take_kernel,
		[DIARY_PREFLIGHT] = take_preflight,
		[DIARY_HANG] = take_hang,
		[DIARY_ATTEMPT] = take_attempt,
	};

	if (r->kind < DIARY_KINDS && takers[r->kind])
		takers[r->kind](s, r);
	if (current(s) && r->at_ms > current(s)->last_ms)
		current(s)->last_ms = r->at_ms;
}

/* ---- the whole ---- */

bool story_is_torn(struct span rest)
{
	for (size_t i = 0; i < rest.len; i++)
		if (rest.data[i])
			return true;
	return false;
}

int story_read(struct run_story *s, struct span bytes)
{
	size_t before = s->attempt_count;
	struct diary_record r;

	if (!diary_begins(&bytes) && story_is_torn(bytes) && bytes.len >= DIARY_FIRST)
		return -EBADMSG;
	while (diary_next(&bytes, &r))
		story_record(s, &r);
	if (s->attempt_count > before)
		current(s)->torn = story_is_torn(bytes);
	return 0;
}

static int by_time(const void *a, const void *b)
{
	const struct story_sample *x = a, *y = b;

	return (x->at_ms > y->at_ms) - (x->at_ms < y->at_ms);
}

void story_end(struct run_story *s)
{
	if (s->sample_count > 1)
		qsort(s->samples, s->sample_count, sizeof(*s->samples), by_time);
}

void story_done(struct run_story *s)
{
	void *lists[] = { s->attempts, s->samples,  s->points,   s->events,
			  s->changes,  s->findings, s->variables };

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		free(lists[i]);
	arena_done(&s->arena);
}
