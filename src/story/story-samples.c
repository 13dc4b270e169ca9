/* Samples of GPUs, host and job, and the job's progress. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "story/story-parts.h"

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
struct named_values {
	const char *name;
	int64_t *values; /* as many as `count` follow the name */
	int count;
};

static void take_named(struct span line, const struct named_values *list, size_t count)
{
	struct span w;

	while (span_word(&line, &w))
		for (size_t i = 0; i < count; i++)
			if (span_is(w, list[i].name))
				for (int k = 0; k < list[i].count; k++)
					list[i].values[k] = story_number(&line);
}

static void take_gpu(struct story *s, struct story_sample *sample, struct span line)
{
	struct story_gpu g = { .busy = -1, .temp = -1, .sclk = -1, .power = -1 };
	int64_t vram[2] = { -1, -1 };
	const struct named_values list[] = {
		{ "vram", vram, 2 },      { "job", &g.job, 1 },   { "others", &g.others, 1 },
		{ "busy", &g.busy, 1 },   { "temp", &g.temp, 1 }, { "sclk", &g.sclk, 1 },
		{ "power", &g.power, 1 },
	};
	const char *address = story_word(s, &line);

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

void story_sample(struct story *s, const struct run_journal_record *r)
{
	struct story_sample *sample = STORY_MORE(s, sample, STORY_SAMPLES);
	struct span rest = r->payload, line, key;

	if (!sample)
		return;
	*sample = (struct story_sample){ .at_ms = r->at_ms,
					 .host_used = -1,
					 .host_total = -1,
					 .cgroup_used = -1,
					 .cgroup_max = -1,
					 .rss = -1,
					 .cpu_ms = -1 };
	while (span_line(&rest, &line)) {
		const struct named_values host[] = { { "used", &sample->host_used, 1 },
						     { "total", &sample->host_total, 1 } };
		const struct named_values group[] = { { "used", &sample->cgroup_used, 1 },
						      { "max", &sample->cgroup_max, 1 } };
		const struct named_values job[] = { { "rss", &sample->rss, 1 },
						    { "cpu_ms", &sample->cpu_ms, 1 } };

		if (!span_word(&line, &key))
			continue;
		if (span_is(key, "gpu"))
			take_gpu(s, sample, line);
		else if (span_is(key, "host"))
			take_named(line, host, 2);
		else if (span_is(key, "cgroup"))
			take_named(line, group, 2);
		else if (span_is(key, "job"))
			take_named(line, job, 2);
	}
}

/* ---- progress ---- */

static double part_of(double at, double of)
{
	return of > 0 && at >= 0 ? at / of : NAN;
}

/* The part of its epoch, where the point tells both. */
static double part_of_epoch(const struct story_point *p)
{
	double batches = part_of(p->batch, p->batches);

	if (!(p->epochs > 0 && p->epoch >= 0))
		return NAN;
	return isnan(batches) ? part_of(p->step, p->steps) : batches;
}

/* "Epoch 2/10 Step 2100/20000" behind "Epoch 1/10 Step 1990/20000": no epoch has 20000 steps. */
static bool goes_on(const struct story_point *before, const struct story_point *p)
{
	double part = part_of(p->step, p->steps);

	return p->epoch > before->epoch && p->step > before->step && p->steps == before->steps &&
	       part >= (p->epoch - 1) / p->epochs && part <= p->epoch / p->epochs;
}

static void take_point(struct story *s, const struct story_point *p)
{
	s->has_parts = s->has_parts || !isnan(part_of_epoch(p));
	s->counts_through = s->counts_through || (p > s->points && goes_on(p - 1, p));
}

double story_share_done(const struct story *s, size_t point)
{
	const struct story_point *p = &s->points[point];
	double of_all = part_of(p->step, p->steps), of_epoch = part_of_epoch(p);
	double before = p->epoch >= 1 ? p->epoch - 1 : 0;

	if (!isnan(of_epoch) && !s->counts_through)
		return (before + of_epoch) / p->epochs;
	if (isnan(of_all) && p->epochs > 0 && p->epoch >= 0)
		return s->has_parts ? NAN : p->epoch / p->epochs;
	if (isnan(of_all))
		of_all = part_of(p->batch, p->batches);
	return isnan(of_all) ? p->percent / 100 : of_all;
}

void story_progress(struct story *s, const struct run_journal_record *r)
{
	struct story_point *p = STORY_MORE(s, point, STORY_SAMPLES);
	struct span line = r->payload, key;

	if (!p)
		return;
	*p = (struct story_point){ r->at_ms, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, false };
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
		p->no_number = p->no_number || (span_is(key, "loss") && !isfinite(value));
	}
	take_point(s, p);
}
