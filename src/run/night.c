#include "run/night.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/rules.h"
#include "base/units.h"

extern const char data_nights[];

#define LATEST_MS 10000 /* samples of so long before the end tell whether memory was full */
#define MIB       ((double)(1 << 20))

static double limit_of(const char *name)
{
	return (double)rules_number(data_nights, name);
}

/* The story that is searched, and the results. */
struct night_search {
	const struct story *s;
	const struct night_end *end;
	struct arena *a;
	size_t first_point, first_sample; /* of the attempt */
	double *at;                       /* of each point: steps done so far; NAN: not told */
	const char *unit;                 /* of these: "step", "batch"; or "minute", without any */
	size_t first_at, last_at;         /* points that have one; equal: no rate is known */
	struct rules_found rules;
};

/* ---- how far it was ---- */

static double count_of(const struct night_search *n, const struct story_point *p)
{
	return strcmp(n->unit, "step") == 0 ? p->step : p->batch;
}

/* A count that begins again, as in the next epoch, goes on where it was. */
static void find_places(struct night_search *n)
{
	const struct story *s = n->s;
	double before = 0, offset = 0;
	bool any = false;

	n->unit = "batch";
	for (size_t i = n->first_point; i < s->point_count; i++)
		if (!isnan(s->points[i].step))
			n->unit = "step";
	n->at = arena_alloc(n->a, (s->point_count + 1) * sizeof(*n->at));
	for (size_t i = n->first_point; i < s->point_count; i++) {
		double count = count_of(n, &s->points[i]);

		n->at[i] = NAN;
		if (isnan(count))
			continue;
		offset += count < before ? before : 0;
		before = count;
		n->at[i] = offset + count;
		n->last_at = i;
		if (!any)
			n->first_at = i;
		any = true;
	}
	if (!any)
		n->unit = "minute";
}

static bool has_places(const struct night_search *n)
{
	return n->last_at > n->first_at && n->at[n->last_at] > n->at[n->first_at];
}

/* Steps done at a moment, or minutes since the start where no steps are told; NAN: before the first. */
static double place_at(const struct night_search *n, uint64_t ms)
{
	const struct story_point *p = n->s->points;
	size_t before = SIZE_MAX;

	if (strcmp(n->unit, "minute") == 0)
		return (double)(ms - n->s->attempts[n->s->attempt_count - 1].start_ms) / 60000;
	for (size_t i = n->first_at; i <= n->last_at && n->last_at > 0; i++) {
		if (isnan(n->at[i]))
			continue;
		if (p[i].at_ms >= ms)
			return before == SIZE_MAX || p[i].at_ms == p[before].at_ms
				       ? NAN
				       : n->at[before] +
						 (n->at[i] - n->at[before]) *
							 (double)(ms - p[before].at_ms) /
							 (double)(p[i].at_ms - p[before].at_ms);
		before = i;
	}
	return NAN;
}

static const char *name_place(const struct night_search *n, double at)
{
	if (strcmp(n->unit, "minute") == 0)
		return arena_format(n->a, "minute %.1f", at);
	return arena_format(n->a, "%s %.0f", n->unit, at);
}

static const char *name_rate(const struct night_search *n, double a_second)
{
	if (!(a_second > 0))
		return "no steps";
	if (a_second <= 1)
		return arena_format(n->a, "%.3g s a %s", 1 / a_second, n->unit);
	return arena_format(n->a, "%.3g %s a second", a_second,
			    strcmp(n->unit, "step") == 0 ? "steps" : "batches");
}

static double rate_between(const struct night_search *n, size_t from, size_t to)
{
	const struct story_point *p = n->s->points;

	if (to <= from || p[to].at_ms <= p[from].at_ms)
		return NAN;
	return (n->at[to] - n->at[from]) * 1000 / (double)(p[to].at_ms - p[from].at_ms);
}

static void add_count(struct buf *out, const char *name, double at, double of)
{
	if (isnan(at))
		return;
	buf_addf(out, "%s%s %.6g", out->len ? ", " : "", name, at);
	if (of > 0)
		buf_addf(out, " of %.0f", of);
}

/* The last of each number, whichever line told it. */
static const char *find_reached(const struct night_search *n)
{
	struct buf out BUF_SCOPED = { 0 };
	double rate;
	struct story_point last = { 0, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, false };

	for (size_t i = n->first_point; i < n->s->point_count; i++) {
		const struct story_point *p = &n->s->points[i];
		const double *from[] = { &p->epoch, &p->epochs, &p->batch, &p->batches,
					 &p->step,  &p->steps,  &p->loss };
		double *to[] = { &last.epoch, &last.epochs, &last.batch, &last.batches,
				 &last.step,  &last.steps,  &last.loss };

		for (size_t k = 0; k < sizeof(to) / sizeof(to[0]); k++)
			if (!isnan(*from[k]))
				*to[k] = *from[k];
		last.no_number = p->no_number || (last.no_number && isnan(p->loss));
	}
	add_count(&out, "epoch", last.epoch, last.epochs);
	add_count(&out, "batch", last.batch, last.batches);
	add_count(&out, "step", last.step, last.steps);
	if (last.no_number)
		buf_addf(&out, "%sloss NaN", out.len ? "; " : "");
	else if (!isnan(last.loss))
		buf_addf(&out, "%sloss %.6g", out.len ? "; " : "", last.loss);
	rate = has_places(n) ? rate_between(n, n->first_at, n->last_at) : NAN;
	if (rate > 0)
		buf_addf(&out, "; %s", name_rate(n, rate));
	return arena_text(n->a, buf_get(&out));
}

/* ---- memory that grows ---- */

static double job_host(const struct story_sample *p)
{
	return p->rss < 0 ? NAN : (double)p->rss;
}

static double job_vram(const struct story_sample *p)
{
	double sum = 0;
	bool known = false;

	for (size_t i = 0; i < p->gpu_count; i++)
		if (p->gpus[i].job >= 0) {
			sum += (double)p->gpus[i].job;
			known = true;
		}
	return known ? sum : NAN;
}

static const struct grown {
	double (*value)(const struct story_sample *p);
	const char *flag, *growth, *from, *at, *to, *until;
} grown[] = {
	{ job_host, "grows", "growth", "grow-from", "grow-at", "grow-to", "grow-until" },
	{ job_vram, "vram-grows", "vram-growth", "vram-from", "vram-at", "vram-to", "vram-until" },
};

struct fit {
	size_t count;
	double x, y, xx, xy, yy;                         /* sums */
	double first_x, first_y, last_x, last_y, x0, y0; /* of the first one, taken off */
};

static void fit_add(struct fit *f, double x, double y)
{
	if (f->count++ == 0) {
		f->first_x = f->x0 = x;
		f->first_y = f->y0 = y;
	}
	f->last_x = x;
	f->last_y = y;
	x -= f->x0;
	y -= f->y0;
	f->x += x;
	f->y += y;
	f->xx += x * x;
	f->xy += x * y;
	f->yy += y * y;
}

/* False: it is no straight line that rises. */
static bool fit_rises(const struct fit *f, double *ret_slope)
{
	double n = (double)f->count, xx, yy, xy;

	if (n < limit_of("grow-samples"))
		return false;
	xx = f->xx - f->x * f->x / n;
	yy = f->yy - f->y * f->y / n;
	xy = f->xy - f->x * f->y / n;
	if (!(xx > 0 && yy > 0 && xy > 0) || f->last_y - f->first_y < limit_of("grow-mib") * MIB)
		return false;
	*ret_slope = xy / xx;
	return xy * xy / (xx * yy) * 100 >= limit_of("grow-fit-percent");
}

static const char *bytes_text(struct night_search *n, double bytes)
{
	char text[UNITS_MAX];

	units_bytes(bytes > 0 ? (uint64_t)bytes : 0, text);
	return arena_format(n->a, "%s", text);
}

/*
 * The first third is left out: loading a model is no growth. What rose then and stands still since
 * is none either, so the last half has to rise by itself.
 */
static void look_for_growth(struct night_search *n, const struct grown *g)
{
	const struct story *s = n->s;
	struct fit all = { 0 }, half = { 0 };
	double slope, late;
	size_t count = s->sample_count - n->first_sample;

	for (size_t i = n->first_sample + count / 3; i < s->sample_count; i++) {
		double x = place_at(n, s->samples[i].at_ms), y = g->value(&s->samples[i]);

		if (isnan(x) || isnan(y) || y <= 0)
			continue;
		fit_add(&all, x, y);
		if (i >= n->first_sample + 2 * count / 3)
			fit_add(&half, x, y);
	}
	if (!fit_rises(&all, &slope) || half.last_x <= half.first_x)
		return;
	late = (half.last_y - half.first_y) / (half.last_x - half.first_x);
	if (late < slope / 3)
		return;
	rules_flag(&n->rules, g->flag);
	rules_value(&n->rules, g->growth, bytes_text(n, slope));
	rules_value(&n->rules, g->from, bytes_text(n, all.first_y));
	rules_value(&n->rules, g->at, name_place(n, all.first_x));
	rules_value(&n->rules, g->to, bytes_text(n, all.last_y));
	rules_value(&n->rules, g->until, name_place(n, all.last_x));
}

/* ---- who killed it ---- */

static int64_t process_of_job(const struct night_search *n)
{
	for (size_t i = 0; i < n->s->event_count; i++) {
		const struct story_event *e = &n->s->events[i];

		if (e->kind == STORY_EVENT && e->attempt == n->s->attempt_count &&
		    strcmp(e->name, "started") == 0)
			return strtoll(e->text, NULL, 10);
	}
	return 0;
}

/* "Killed process 4711 (python)" */
static int64_t killed_process(const char *text)
{
	const char *at = strstr(text, "Killed process ");

	return at ? strtoll(at + strlen("Killed process "), NULL, 10) : -1;
}

static void look_for_oom(struct night_search *n)
{
	int64_t job = process_of_job(n);

	for (size_t i = 0; i < n->s->event_count; i++) {
		const struct story_event *e = &n->s->events[i];
		char *end = NULL;
		int64_t host, group;

		if (e->attempt != n->s->attempt_count)
			continue;
		if (e->kind == STORY_KERNEL && strncmp(e->name, "oom-killed", 10) == 0) {
			rules_flag(&n->rules, "oom-line");
			rules_flag_if(&n->rules, "oom-own", job && killed_process(e->text) == job);
		}
		if (e->kind != STORY_EVENT || strcmp(e->name, "oom-kills") != 0)
			continue;
		host = strtoll(e->text, &end, 10);
		group = strtoll(end, NULL, 10);
		rules_flag_if(&n->rules, "oom-host", host > 0);
		rules_flag_if(&n->rules, "oom-group", group > 0);
		rules_flag_if(&n->rules, "oom-none", host == 0);
	}
}

static bool is_full(double used, double total)
{
	return used >= 0 && total > 0 && used * 100 >= total * limit_of("full-percent");
}

/* The most of the last seconds: after the kill there is room again. */
static void look_at_memory(struct night_search *n)
{
	const struct story *s = n->s;
	int64_t host = -1, total = -1, group = -1, most = -1;

	for (size_t i = n->first_sample; i < s->sample_count; i++) {
		const struct story_sample *p = &s->samples[i];

		if (p->at_ms + LATEST_MS < s->samples[s->sample_count - 1].at_ms)
			continue;
		host = p->host_used > host ? p->host_used : host;
		total = p->host_total > 0 ? p->host_total : total;
		group = p->cgroup_used > group ? p->cgroup_used : group;
		most = p->cgroup_max > 0 ? p->cgroup_max : most;
	}
	rules_value(&n->rules, "host-used", bytes_text(n, (double)host));
	rules_value(&n->rules, "host-total", bytes_text(n, (double)total));
	rules_value(&n->rules, "group-used", bytes_text(n, (double)group));
	rules_value(&n->rules, "group-max", bytes_text(n, (double)most));
	rules_flag_if(&n->rules, "group-limit", group > 0 && most > 0);
	rules_flag_if(&n->rules, "group-full", is_full((double)group, (double)most));
	rules_flag_if(&n->rules, "host-full", is_full((double)host, (double)total));
	rules_flag_if(&n->rules, "full",
		      is_full((double)group, (double)most) || is_full((double)host, (double)total));
	rules_flag_if(&n->rules, "room",
		      host >= 0 && total > 0 && !is_full((double)host, (double)total) &&
			      !is_full((double)group, (double)most));
}

/* ---- a loss that is lost ---- */

static void look_for_nan(struct night_search *n)
{
	for (size_t i = n->first_point; i < n->s->point_count; i++) {
		const struct story_point *p = &n->s->points[i];
		struct buf place BUF_SCOPED = { 0 };

		if (!p->no_number)
			continue;
		add_count(&place, "epoch", p->epoch, NAN);
		add_count(&place, "batch", p->batch, NAN);
		add_count(&place, "step", p->step, NAN);
		rules_flag(&n->rules, "nan");
		rules_value(&n->rules, "nan", isinf(p->loss) ? "infinite" : "NaN");
		rules_value(&n->rules, "nan-place",
			    place.len ? arena_text(n->a, buf_get(&place)) : "an unknown step");
		return;
	}
}

/* ---- slow, or slower ---- */

/* The last point with a place at or before a share of the time between the first and the last. */
static size_t point_at_share(const struct night_search *n, double share)
{
	const struct story_point *p = n->s->points;
	uint64_t span = p[n->last_at].at_ms - p[n->first_at].at_ms;
	size_t found = n->first_at;

	for (size_t i = n->first_at; i <= n->last_at; i++)
		if (!isnan(n->at[i]) &&
		    (double)(p[i].at_ms - p[n->first_at].at_ms) <= share * (double)span)
			found = i;
	return found;
}

static int64_t temp_of(const struct story_gpu *g)
{
	return g->temp;
}

static int64_t clock_of(const struct story_gpu *g)
{
	return g->sclk;
}

/* The mean of a gauge over the job's GPUs, between two points; NAN: never told. */
static double mean_of(const struct night_search *n, int64_t (*value)(const struct story_gpu *g),
		      size_t from, size_t to)
{
	const struct story *s = n->s;
	double sum = 0;
	size_t count = 0;

	for (size_t i = n->first_sample; i < s->sample_count; i++)
		for (size_t k = 0; k < s->samples[i].gpu_count; k++) {
			const struct story_gpu *g = &s->samples[i].gpus[k];

			if (s->samples[i].at_ms < s->points[from].at_ms ||
			    s->samples[i].at_ms > s->points[to].at_ms || g->job <= 0 ||
			    value(g) < 0)
				continue;
			sum += (double)value(g);
			count++;
		}
	return count ? sum / (double)count : NAN;
}

static void look_for_slower(struct night_search *n)
{
	size_t a, b, c;
	double before, after, temps[2], clocks[2];

	if (!has_places(n) ||
	    (double)(n->s->points[n->last_at].at_ms - n->s->points[n->first_at].at_ms) <
		    1000 * limit_of("slower-seconds"))
		return;
	a = point_at_share(n, 0.1);
	b = point_at_share(n, 0.4);
	c = point_at_share(n, 0.75);
	before = rate_between(n, a, b);
	after = rate_between(n, c, n->last_at);
	if (!(before > 0 && after >= 0) || after * 100 > before * limit_of("slower-percent"))
		return;
	rules_flag(&n->rules, "slower");
	rules_value(&n->rules, "rate-before", name_rate(n, before));
	rules_value(&n->rules, "rate-after", name_rate(n, after));
	temps[0] = mean_of(n, temp_of, a, b) / 1000;
	temps[1] = mean_of(n, temp_of, c, n->last_at) / 1000;
	clocks[0] = mean_of(n, clock_of, a, b);
	clocks[1] = mean_of(n, clock_of, c, n->last_at);
	rules_value(&n->rules, "gpu-beside",
		    isnan(temps[1]) || isnan(clocks[1])
			    ? ""
			    : arena_format(n->a,
					   "; the GPU at %.0f and then %.0f MHz, %.0f and %.0f C",
					   clocks[0], clocks[1], temps[0], temps[1]));
	rules_flag_if(&n->rules, "hotter", temps[1] > temps[0] + 3);
	rules_flag_if(&n->rules, "clock-fell", clocks[1] < 0.85 * clocks[0]);
	rules_value(&n->rules, "temp-before", arena_format(n->a, "%.0f C", temps[0]));
	rules_value(&n->rules, "temp-after", arena_format(n->a, "%.0f C", temps[1]));
	rules_value(&n->rules, "clock-before", arena_format(n->a, "%.0f MHz", clocks[0]));
	rules_value(&n->rules, "clock-after", arena_format(n->a, "%.0f MHz", clocks[1]));
}

static int64_t busy_of(const struct story_gpu *g)
{
	return g->busy;
}

/* It gets on, and neither CPU nor GPU has much to do. */
static void look_for_idleness(struct night_search *n)
{
	const struct story_sample *first = NULL, *last = NULL;
	double cores, busy;

	if (!has_places(n))
		return;
	for (size_t i = n->first_sample; i < n->s->sample_count; i++) {
		const struct story_sample *p = &n->s->samples[i];

		if (p->cpu_ms < 0 || p->at_ms < n->s->points[n->first_at].at_ms ||
		    p->at_ms > n->s->points[n->last_at].at_ms)
			continue;
		first = first ? first : p;
		last = last && p->cpu_ms < last->cpu_ms ? last : p;
	}
	if (!first || last->at_ms < first->at_ms + 1000 * (uint64_t)limit_of("idle-seconds"))
		return;
	cores = (double)(last->cpu_ms - first->cpu_ms) / (double)(last->at_ms - first->at_ms);
	busy = mean_of(n, busy_of, n->first_at, n->last_at);
	if (cores * 100 > limit_of("idle-core-percent") || busy > limit_of("idle-gpu-percent"))
		return;
	rules_flag(&n->rules, "idle");
	rules_value(&n->rules, "cores", arena_format(n->a, "%.2f", cores));
	rules_value(&n->rules, "rate", name_rate(n, rate_between(n, n->first_at, n->last_at)));
}

/* ---- the table ---- */

static const char *take_commands(const struct rules_found *r, struct span text, struct arena *a)
{
	struct buf out BUF_SCOPED = { 0 };
	size_t end;

	while (span_trim(text).len > 0) {
		struct span one = text;

		end = span_find(text, SPAN_LITERAL(" ;; "));
		one.len = end == SIZE_MAX ? text.len : end;
		buf_addf(&out, "    %s\n", rules_fill(r, one, a));
		end = end == SIZE_MAX ? text.len : end + 4;
		text = (struct span){ text.data + end, text.len - end };
	}
	return arena_text(a, buf_get(&out));
}

/* "NAME conditions certainty says step commands" */
static bool take_row(const struct rules_found *r, const char *kind, size_t nth, struct arena *a,
		     bool *ret_holds, struct night_line *ret)
{
	struct span row, name, conditions, certainty, says, step;

	if (!rules_row(data_nights, kind, nth, &row))
		return false;
	span_cut(&row, '\t', &name);
	span_cut(&row, '\t', &conditions);
	span_cut(&row, '\t', &certainty);
	span_cut(&row, '\t', &says);
	span_cut(&row, '\t', &step);
	*ret_holds = rules_hold(r, conditions);
	if (*ret_holds)
		*ret = (struct night_line){ arena_text(a, name), arena_text(a, certainty),
					    span_is(says, "-") ? "" : rules_fill(r, says, a),
					    span_is(step, "-") ? "" : rules_fill(r, step, a),
					    take_commands(r, row, a) };
	return true;
}

static void take_first(const struct rules_found *r, const char *kind, struct arena *a,
		       struct night_line *ret)
{
	bool holds = false;

	for (size_t i = 0; !holds && take_row(r, kind, i, a, &holds, ret); i++)
		;
}

static void set_ends(struct night_search *n)
{
	const struct night_end *end = n->end;

	rules_flag_if(&n->rules, "failed", end->failed);
	rules_flag_if(&n->rules, "hung", end->hung);
	rules_flag_if(&n->rules, "killed", end->signal == SIGKILL);
	rules_flag_if(&n->rules, "terminated", end->signal == SIGTERM);
	rules_flag_if(&n->rules, "unexplained", !end->explained);
	rules_value(&n->rules, "unit", n->unit);
}

static void begin(struct night_search *n)
{
	const struct story *s = n->s;
	uint64_t start = s->attempts[s->attempt_count - 1].start_ms;

	while (n->first_point < s->point_count && s->points[n->first_point].at_ms < start)
		n->first_point++;
	while (n->first_sample < s->sample_count && s->samples[n->first_sample].at_ms < start)
		n->first_sample++;
	find_places(n);
	set_ends(n);
}

void night_of(const struct story *s, const struct night_end *end, struct arena *a,
	      struct night *ret)
{
	struct night_search n = { .s = s, .end = end, .a = a };
	bool holds;

	*ret = (struct night){ .reached = "" };
	if (s->attempt_count == 0)
		return;
	begin(&n);
	ret->reached = find_reached(&n);
	for (size_t i = 0; i < sizeof(grown) / sizeof(grown[0]); i++)
		look_for_growth(&n, &grown[i]);
	look_for_oom(&n);
	look_at_memory(&n);
	look_for_nan(&n);
	look_for_slower(&n);
	look_for_idleness(&n);
	if (!end->hung)
		take_first(&n.rules, "ending", a, &ret->ending);
	if (ret->ending.name)
		rules_flag(&n.rules, arena_format(a, "ending-%s", ret->ending.name));
	for (size_t i = 0; ret->note_count < NIGHT_NOTES &&
			   take_row(&n.rules, "note", i, a, &holds, &ret->notes[ret->note_count]);
	     i++)
		ret->note_count += holds;
}

/* ---- a job that stands still ---- */

static bool has_words(struct span frames, struct span words)
{
	struct span word;

	while (span_cut(&words, '|', &word))
		if (span_find(frames, span_trim(word)) != SIZE_MAX)
			return true;
	return false;
}

void night_hang_of(const struct night_hang *h, struct arena *a, struct night_line *ret)
{
	struct rules_found r = { .flag_count = 0 };
	struct span row, flag;

	*ret = (struct night_line){ .name = NULL, .says = "", .step = "", .commands = "" };
	rules_flag(&r, arena_format(a, "class-%s", h->class));
	rules_flag(&r, h->kind);
	rules_flag_if(&r, "has-frames", h->frames.len > 0);
	for (size_t i = 0; rules_row(data_nights, "frame", i, &row); i++)
		if (span_cut(&row, '\t', &flag) && has_words(h->frames, row)) {
			rules_flag(&r, arena_text(a, flag));
			break;
		}
	for (size_t i = 0; rules_row(data_nights, "thread", i, &row); i++)
		if (span_cut(&row, '\t', &flag) && has_words(h->file, row))
			rules_flag(&r, arena_text(a, flag));
	take_first(&r, "hang", a, ret);
}

const char *night_python(struct span why, struct arena *a)
{
	struct span row, word;

	for (size_t i = 0; rules_row(data_nights, "python", i, &row); i++)
		if (span_cut(&row, '\t', &word) && word.len == why.len &&
		    memcmp(word.data, why.data, why.len) == 0)
			return arena_text(a, row);
	return "";
}

bool night_is_python(const char *program)
{
	const char *slash = strrchr(program, '/');
	struct span row, name, word = span_of(slash ? slash + 1 : program);

	for (size_t i = 0; rules_row(data_nights, "launcher", i, &row); i++)
		while (span_cut(&row, '|', &name))
			if (span_fits(word, span_trim(name)))
				return true;
	return false;
}
