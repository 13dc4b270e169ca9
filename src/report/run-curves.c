#include "report/run-curves.h"

#include <math.h>
#include <string.h>

#include "report/html.h"

#define STROKE 4.0
#define POINTS 500 /* of a curve; of more the highest of each stretch are drawn */

double run_x(const struct run_lanes *l, uint64_t at)
{
	if (at <= l->start || l->end <= l->start)
		return 0;
	return at >= l->end ? RUN_WIDE
			    : RUN_WIDE * (double)(at - l->start) / (double)(l->end - l->start);
}

static uint64_t time_of(const struct story *s, const struct run_curve *c, size_t i)
{
	return c->of_points ? s->points[i].at_ms : s->samples[i].at_ms;
}

static double y_of(const struct run_curve *c, double value)
{
	double part = c->most > c->least ? (value - c->least) / (c->most - c->least) : 0.5;

	return RUN_TALL - RUN_TALL * (part < 0 ? 0 : part > 1 ? 1 : part);
}

/* Which attempt a moment belongs to: curves are not drawn from one to the next. */
static size_t attempt_at(const struct story *s, uint64_t at)
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
static bool next_segment(const struct run_lanes *l, const struct run_curve *c, size_t *at,
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
		ret->last = run_x(l, time_of(l->s, c, peak));
		if (ret->path.len == 0)
			ret->first = ret->last;
		buf_addf(&ret->path, "%s%.1f %.1f", ret->path.len ? " L" : "M", ret->last,
			 y_of(c, best));
	}
	return ret->path.len > 0;
}

/* A single value is a short stroke: of a path with one point nothing is drawn. */
static bool next_drawn(const struct run_lanes *l, const struct run_curve *c, size_t *at,
		       struct segment *ret)
{
	if (!next_segment(l, c, at, ret))
		return false;
	if (!memchr(ret->path.data, 'L', ret->path.len)) {
		ret->last += ret->last < RUN_WIDE - STROKE ? STROKE : -STROKE;
		buf_addf(&ret->path, " H%.1f", ret->last);
	}
	return true;
}

void run_line(const struct run_lanes *l, const struct run_curve *c, const char *class)
{
	struct segment part = { 0 };
	size_t at = 0;

	while (next_drawn(l, c, &at, &part))
		html(l->out, "<path class=\"curve %s\" d=\"%s\"/>", class, part.path.data);
	buf_done(&part.path);
}

void run_area(const struct run_lanes *l, const struct run_curve *c, const char *class)
{
	struct segment part = { 0 };
	size_t at = 0;

	while (next_drawn(l, c, &at, &part))
		html(l->out, "<path class=\"%s\" d=\"%s L%.1f %.0f L%.1f %.0f Z\"/>", class,
		     part.path.data, part.last, RUN_TALL, part.first, RUN_TALL);
	buf_done(&part.path);
}

struct run_sums run_sum_up(const struct story *s, const struct run_curve *c)
{
	struct run_sums sums = { NAN, NAN, NAN, NAN, 0, 0 };

	for (size_t i = 0; i < c->count; i++) {
		double v = c->value(s, i, c->ctx);

		if (isnan(v))
			continue;
		sums.first = sums.count ? sums.first : v;
		sums.last = v;
		sums.least = sums.count && sums.least < v ? sums.least : v;
		sums.most = sums.count && sums.most > v ? sums.most : v;
		sums.mean += v;
		sums.count++;
	}
	sums.mean = sums.count ? sums.mean / (double)sums.count : NAN;
	return sums;
}
