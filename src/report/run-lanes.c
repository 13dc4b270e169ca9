#include "report/run.h"

#include <math.h>
#include <string.h>

#include "base/units.h"
#include "report/html.h"

/*
 * A lane is stretched to the width of the page, so no words stand in its
 * picture: they would be stretched too. Its units are thousandths of the time.
 */
#define WIDE   1000.0
#define TALL   100.0
#define FEW    4   /* GPUs: of more two stand beside each other */
#define POINTS 500 /* of a curve; of more the highest of each stretch are drawn */

struct lanes {
	const struct run_story *s;
	uint64_t start, end;
	struct buf *out;
};

static double x_of(const struct lanes *l, uint64_t at)
{
	if (at <= l->start || l->end <= l->start)
		return 0;
	return at >= l->end ? WIDE : WIDE * (double)(at - l->start) / (double)(l->end - l->start);
}

/* ---- curves ---- */

/* A value of the i-th sample or point; NAN: none. Below it `base`, for stacked ones. */
struct curve {
	double (*value)(const struct run_story *s, size_t i, const void *ctx);
	const void *ctx;
	size_t count;
	bool of_points; /* else of samples */
	double least, most;
};

static uint64_t time_of(const struct run_story *s, const struct curve *c, size_t i)
{
	return c->of_points ? s->points[i].at_ms : s->samples[i].at_ms;
}

static double y_of(const struct curve *c, double value)
{
	double part = c->most > c->least ? (value - c->least) / (c->most - c->least) : 0.5;

	return TALL - TALL * (part < 0 ? 0 : part > 1 ? 1 : part);
}

/* Which attempt a moment belongs to: curves are not drawn from one to the next. */
static size_t attempt_at(const struct run_story *s, uint64_t at)
{
	size_t i = 0;

	while (i + 1 < s->attempt_count && at >= s->attempts[i + 1].start_ms)
		i++;
	return i;
}

struct segment {
	struct buf path;
	double first, last; /* where it begins and ends */
};

/*
 * The next stretch of a curve within one attempt, from *at on; of each few values
 * the highest, so that no peak is lost. False when nothing is left.
 */
static bool next_segment(const struct lanes *l, const struct curve *c, size_t *at,
			 struct segment *ret)
{
	size_t step = c->count / POINTS + 1, attempt = SIZE_MAX;

	buf_clear(&ret->path);
	while (*at < c->count) {
		double best = NAN;
		size_t peak = *at, end = *at + step < c->count ? *at + step : c->count;
		size_t mine = attempt_at(l->s, time_of(l->s, c, *at));

		if (ret->path.len > 0 && mine != attempt)
			return true;
		attempt = mine;
		for (; *at < end && attempt_at(l->s, time_of(l->s, c, *at)) == mine; (*at)++) {
			double v = c->value(l->s, *at, c->ctx);

			if (!isnan(v) && (isnan(best) || v > best)) {
				best = v;
				peak = *at;
			}
		}
		if (isnan(best))
			continue;
		ret->last = x_of(l, time_of(l->s, c, peak));
		if (ret->path.len == 0)
			ret->first = ret->last;
		buf_addf(&ret->path, "%s%.1f %.1f", ret->path.len ? " L" : "M", ret->last,
			 y_of(c, best));
	}
	return ret->path.len > 0;
}

static void line(const struct lanes *l, const struct curve *c, const char *class)
{
	struct segment part = { 0 };
	size_t at = 0;

	while (next_segment(l, c, &at, &part))
		html(l->out, "<path class=\"curve %s\" d=\"%s\"/>", class, part.path.data);
	buf_done(&part.path);
}

static void area(const struct lanes *l, const struct curve *c, const char *class)
{
	struct segment part = { 0 };
	size_t at = 0;

	while (next_segment(l, c, &at, &part))
		html(l->out, "<path class=\"%s\" d=\"%s L%.1f %.0f L%.1f %.0f Z\"/>", class,
		     part.path.data, part.last, TALL, part.first, TALL);
	buf_done(&part.path);
}

/* ---- a lane ---- */

/* Attempts as bands, events as lines: the same in every lane. */
static void background(const struct lanes *l)
{
	for (size_t i = 1; i < l->s->attempt_count; i += 2) {
		double from = x_of(l, l->s->attempts[i].start_ms);
		double to = i + 1 < l->s->attempt_count ? x_of(l, l->s->attempts[i + 1].start_ms)
							: WIDE;

		html(l->out, "<rect class=\"band\" x=\"%.1f\" width=\"%.1f\" height=\"%.0f\"/>",
		     from, to - from, TALL);
	}
}

static const char *event_class(const struct story_event *e)
{
	static const char *const classes[] = { [STORY_FAILURE] = "problem",
					       [STORY_KERNEL] = "warning",
					       [STORY_HANG] = "undecided",
					       [STORY_HANG_OVER] = "good",
					       [STORY_EVENT] = "note" };

	return classes[e->kind];
}

static void event_lines(const struct lanes *l)
{
	for (size_t i = 0; i < l->s->event_count; i++) {
		const struct story_event *e = &l->s->events[i];

		if (run_is_told(e))
			html(l->out,
			     "<line class=\"when %s\" x1=\"%.1f\" x2=\"%.1f\" y2=\"%.0f\"/>",
			     event_class(e), x_of(l, e->at_ms), x_of(l, e->at_ms), TALL);
	}
}

static void open_lane(const struct lanes *l, const char *name, const char *says, bool low)
{
	html(l->out,
	     "<div class=\"lane%s\"><div class=\"lane-head\"><b>%s</b><span>%s</span></div>\n",
	     low ? " low" : "", name, says);
	html(l->out,
	     "<svg viewBox=\"0 0 1000 100\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"%s: %s\">",
	     name, says);
	background(l);
}

static void close_lane(const struct lanes *l)
{
	event_lines(l);
	buf_text(l->out, "</svg></div>\n");
}

/* ---- memory and activity of a GPU ---- */

static const struct story_gpu *gpu_at(const struct run_story *s, size_t i, const char *address)
{
	for (size_t k = 0; k < s->samples[i].gpu_count; k++)
		if (strcmp(s->samples[i].gpus[k].address, address) == 0)
			return &s->samples[i].gpus[k];
	return NULL;
}

static double known(int64_t value)
{
	return value < 0 ? NAN : (double)value;
}

static double gpu_used(const struct run_story *s, size_t i, const void *ctx)
{
	const struct story_gpu *g = gpu_at(s, i, ctx);

	return g ? known(g->used) : NAN;
}

static double gpu_not_rest(const struct run_story *s, size_t i, const void *ctx)
{
	const struct story_gpu *g = gpu_at(s, i, ctx);

	if (!g || (g->job < 0 && g->others < 0))
		return NAN;
	return (double)(g->job > 0 ? g->job : 0) + (double)(g->others > 0 ? g->others : 0);
}

static double gpu_job(const struct run_story *s, size_t i, const void *ctx)
{
	const struct story_gpu *g = gpu_at(s, i, ctx);

	return g ? known(g->job) : NAN;
}

static double gpu_busy(const struct run_story *s, size_t i, const void *ctx)
{
	const struct story_gpu *g = gpu_at(s, i, ctx);

	return g ? known(g->busy) : NAN;
}

struct sums {
	double most, mean;
	size_t count;
};

static struct sums sum_up(const struct run_story *s, const struct curve *c)
{
	struct sums sums = { NAN, 0, 0 };

	for (size_t i = 0; i < c->count; i++) {
		double v = c->value(s, i, c->ctx);

		if (isnan(v))
			continue;
		sums.most = isnan(sums.most) || v > sums.most ? v : sums.most;
		sums.mean += v;
		sums.count++;
	}
	sums.mean = sums.count ? sums.mean / (double)sums.count : NAN;
	return sums;
}

static void bytes_of_total(struct buf *out, double most, int64_t total)
{
	char peak[UNITS_MAX], all[UNITS_MAX];

	units_bytes((uint64_t)most, peak);
	buf_addf(out, "peak %s", peak);
	if (total > 0) {
		units_bytes((uint64_t)total, all);
		buf_addf(out, " of %s", all);
	}
}

static void gpu_lanes(const struct lanes *l, const struct story_gpu *g)
{
	struct curve c = { gpu_used, g->address, l->s->sample_count, false, 0, (double)g->total };
	struct buf name BUF_SCOPED = { 0 }, says BUF_SCOPED = { 0 }, busy BUF_SCOPED = { 0 };
	struct sums sums = sum_up(l->s, &c);

	if (sums.count > 0) {
		buf_addf(&name, "GPU memory, %s", g->address);
		bytes_of_total(&says, sums.most, g->total);
		if (g->total <= 0)
			c.most = sums.most;
		open_lane(l, name.data, says.data, false);
		area(l, &c, "s4");
		c.value = gpu_not_rest;
		area(l, &c, "s1");
		c.value = gpu_job;
		area(l, &c, "s0");
		close_lane(l);
	}
	c = (struct curve){ gpu_busy, g->address, l->s->sample_count, false, 0, 100 };
	sums = sum_up(l->s, &c);
	if (sums.count > 0) {
		buf_clear(&name);
		buf_addf(&name, "activity, %s", g->address);
		buf_addf(&busy, "mean %.0f %%", sums.mean);
		open_lane(l, name.data, busy.data, true);
		area(l, &c, "s2");
		close_lane(l);
	}
}

/* ---- host and progress ---- */

static double host_used(const struct run_story *s, size_t i, const void *ctx)
{
	(void)ctx;
	return known(s->samples[i].host_used);
}

static double job_rss(const struct run_story *s, size_t i, const void *ctx)
{
	(void)ctx;
	return known(s->samples[i].rss);
}

static void host_lane(const struct lanes *l)
{
	struct buf says BUF_SCOPED = { 0 };
	struct curve c = { host_used, NULL, l->s->sample_count, false, 0, 0 };
	struct sums sums = sum_up(l->s, &c);
	int64_t total = -1;

	for (size_t i = 0; i < l->s->sample_count; i++)
		if (l->s->samples[i].host_total > total)
			total = l->s->samples[i].host_total;
	if (sums.count == 0)
		return;
	c.most = total > 0 ? (double)total : sums.most;
	bytes_of_total(&says, sums.most, total);
	open_lane(l, "host memory", says.data, true);
	area(l, &c, "s4");
	c.value = job_rss;
	area(l, &c, "s0");
	close_lane(l);
}

static double loss(const struct run_story *s, size_t i, const void *ctx)
{
	(void)ctx;
	return isfinite(s->points[i].loss) ? s->points[i].loss : NAN;
}

/* How far, from 0 to 1: epochs with their batches, or steps, or percent. */
static double share_done(const struct run_story *s, size_t i, const void *ctx)
{
	const struct story_point *p = &s->points[i];
	double part = p->batches > 0 && p->batch >= 0 ? p->batch / p->batches : NAN;

	(void)ctx;
	if (p->epochs > 0 && p->epoch >= 0)
		return isnan(part) ? p->epoch / p->epochs : (p->epoch - 1 + part) / p->epochs;
	if (p->steps > 0 && p->step >= 0)
		return p->step / p->steps;
	return !isnan(part) ? part : p->percent / 100;
}

static void progress_lane(const struct lanes *l)
{
	struct curve c = { share_done, NULL, l->s->point_count, true, 0, 1 };
	struct sums sums = sum_up(l->s, &c);
	struct buf says BUF_SCOPED = { 0 };

	if (sums.count == 0)
		return;
	buf_addf(&says, "as far as %.0f %%", 100 * (sums.most > 1 ? 1 : sums.most));
	open_lane(l, "progress", says.data, true);
	line(l, &c, "c0");
	close_lane(l);
}

static void loss_lane(const struct lanes *l)
{
	struct curve c = { loss, NULL, l->s->point_count, true, 0, 0 };
	double first = NAN, last = NAN, least = NAN;
	struct sums sums = sum_up(l->s, &c);
	struct buf says BUF_SCOPED = { 0 };

	for (size_t i = 0; i < c.count; i++) {
		double v = loss(l->s, i, NULL);

		if (isnan(v))
			continue;
		first = isnan(first) ? v : first;
		least = isnan(least) || v < least ? v : least;
		last = v;
	}
	if (sums.count < 2)
		return;
	c.least = least;
	c.most = sums.most;
	buf_addf(&says, "from %.4g to %.4g", first, last);
	open_lane(l, "loss", says.data, true);
	line(l, &c, "c3");
	close_lane(l);
}

/* ---- the frame ---- */

static void attempt_flags(const struct lanes *l)
{
	buf_text(l->out, "<div class=\"strip\" aria-hidden=\"true\">");
	for (size_t i = 0; i < l->s->attempt_count && l->s->attempt_count > 1; i++)
		html(l->out, "<span class=\"flag try\" style=\"left:%.2f%%\">attempt %u</span>",
		     x_of(l, l->s->attempts[i].start_ms) / 10, l->s->attempts[i].number);
	buf_text(l->out, "</div>\n");
}

#define FLAG_WIDTH 45.0 /* what one takes on a small screen: nearer ones share a flag */

/* Events by their number in the table; of several close to each other the first and the last. */
static void event_flags(const struct lanes *l)
{
	size_t number = 0, first = 0;
	double x = -FLAG_WIDTH;

	buf_text(l->out, "<div class=\"strip\" aria-hidden=\"true\">");
	for (size_t i = 0; i < l->s->event_count; i++) {
		const struct story_event *e = &l->s->events[i];

		if (!run_is_told(e))
			continue;
		number++;
		if (first > 0 && fabs(x_of(l, e->at_ms) - x) < FLAG_WIDTH)
			continue;
		if (first > 0 && number > first + 1)
			html(l->out, "-%zu", number - 1);
		buf_text(l->out, first > 0 ? "</span>" : "");
		x = x_of(l, e->at_ms);
		first = number;
		html(l->out, "<span class=\"flag %s\" style=\"left:%.2f%%\">%zu", event_class(e),
		     x / 10, number);
	}
	if (first > 0 && number > first)
		html(l->out, "-%zu", number);
	buf_text(l->out, first > 0 ? "</span></div>\n" : "</div>\n");
}

static void axis(const struct lanes *l)
{
	char when[24];

	buf_text(l->out, "<div class=\"axis\">");
	for (int i = 0; i <= 4; i++) {
		run_clock(l->s, l->start + (l->end - l->start) * (uint64_t)i / 4, when);
		html(l->out, "<span>%s</span>", when);
	}
	buf_text(l->out, "</div>\n");
}

static void legend(const struct lanes *l)
{
	if (l->s->sample_count == 0)
		return;
	buf_text(l->out, "<ul class=\"legend\"><li><span class=\"key s0\"></span>the job</li>"
			 "<li><span class=\"key s1\"></span>other processes</li>"
			 "<li><span class=\"key s4\"></span>in use, owner not known</li>"
			 "<li><span class=\"key s2\"></span>GPU at work</li></ul>\n");
}

void run_lanes(const struct run_story *s, struct buf *out)
{
	struct lanes l = { s, 0, 0, out };
	const struct story_sample *widest = NULL;

	if (s->attempt_count == 0)
		return;
	l.start = s->attempts[0].start_ms;
	l.end = s->attempts[s->attempt_count - 1].last_ms;
	if (l.end <= l.start)
		l.end = l.start + 1;
	for (size_t i = 0; i < s->sample_count; i++)
		if (!widest || s->samples[i].gpu_count > widest->gpu_count)
			widest = &s->samples[i];
	buf_text(out, "<figure class=\"timeline\">\n");
	attempt_flags(&l);
	event_flags(&l);
	progress_lane(&l);
	loss_lane(&l);
	buf_text(out, widest && widest->gpu_count > FEW ? "<div class=\"beside\">\n" : "<div>\n");
	for (size_t i = 0; widest && i < widest->gpu_count; i++) {
		buf_text(out, "<div>");
		gpu_lanes(&l, &widest->gpus[i]);
		buf_text(out, "</div>\n");
	}
	buf_text(out, "</div>\n");
	host_lane(&l);
	axis(&l);
	legend(&l);
	buf_text(out, "</figure>\n");
}
