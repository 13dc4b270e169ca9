#include "report/run-curves.h"

#include <math.h>
#include <string.h>

#include "base/units.h"
#include "report/html.h"

#define FEW 4 /* GPUs: of more two stand beside each other */

/* ---- a lane ---- */

/* Attempts as bands, events as lines: the same in every lane. */
static void background(const struct run_lanes *l)
{
	for (size_t i = 1; i < l->s->attempt_count; i += 2) {
		double from = run_x(l, l->s->attempts[i].start_ms);
		double to = i + 1 < l->s->attempt_count ? run_x(l, l->s->attempts[i + 1].start_ms)
							: RUN_WIDE;

		html(l->out, "<rect class=\"band\" x=\"%.1f\" width=\"%.1f\" height=\"%.0f\"/>",
		     from, to - from, RUN_TALL);
	}
}

static void event_lines(const struct run_lanes *l)
{
	for (size_t i = 0; i < l->s->event_count; i++) {
		const struct story_event *e = &l->s->events[i];

		if (run_is_told(l->s, e))
			html(l->out,
			     "<line class=\"when %s\" x1=\"%.1f\" x2=\"%.1f\" y2=\"%.0f\"/>",
			     run_event_class(e), run_x(l, e->at_ms), run_x(l, e->at_ms), RUN_TALL);
	}
}

static void open_lane(const struct run_lanes *l, const char *name, const char *says, bool low)
{
	html(l->out,
	     "<div class=\"lane%s\"><div class=\"lane-head\"><b>%s</b><span>%s</span></div>\n",
	     low ? " low" : "", name, says);
	html(l->out,
	     "<svg viewBox=\"0 0 1000 100\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"%s: %s\">",
	     name, says);
	background(l);
}

static void close_lane(const struct run_lanes *l)
{
	event_lines(l);
	buf_text(l->out, "</svg></div>\n");
}

/* ---- memory and activity of a GPU ---- */

static const struct story_gpu *gpu_at(const struct story *s, size_t i, const char *address)
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

static double gpu_used(const struct story *s, size_t i, const void *ctx)
{
	const struct story_gpu *g = gpu_at(s, i, ctx);

	return g ? known(g->used) : NAN;
}

static double gpu_not_rest(const struct story *s, size_t i, const void *ctx)
{
	const struct story_gpu *g = gpu_at(s, i, ctx);

	if (!g || (g->job < 0 && g->others < 0))
		return NAN;
	return (double)(g->job > 0 ? g->job : 0) + (double)(g->others > 0 ? g->others : 0);
}

static double gpu_job(const struct story *s, size_t i, const void *ctx)
{
	const struct story_gpu *g = gpu_at(s, i, ctx);

	return g ? known(g->job) : NAN;
}

static double gpu_busy(const struct story *s, size_t i, const void *ctx)
{
	const struct story_gpu *g = gpu_at(s, i, ctx);

	return g ? known(g->busy) : NAN;
}

static double gpu_others(const struct story *s, size_t i, const void *ctx)
{
	const struct story_gpu *g = gpu_at(s, i, ctx);

	return g ? known(g->others) : NAN;
}

/* Of what is used: neither the job's nor that of the others. */
static double gpu_unowned(const struct story *s, size_t i, const void *ctx)
{
	double owned = gpu_not_rest(s, i, ctx);

	return gpu_used(s, i, ctx) - (isnan(owned) ? 0 : owned);
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

static void gpu_lanes(const struct run_lanes *l, const struct story_gpu *g)
{
	struct run_curve c = {
		gpu_used, g->address, l->s->sample_count, false, 0, (double)g->total
	};
	struct buf name BUF_SCOPED = { 0 }, says BUF_SCOPED = { 0 }, busy BUF_SCOPED = { 0 };
	struct run_sums sums = run_sum_up(l->s, &c);

	if (sums.count > 0) {
		buf_addf(&name, "VRAM, %s", g->address);
		bytes_of_total(&says, sums.most, g->total);
		if (g->total <= 0)
			c.most = sums.most;
		open_lane(l, name.data, says.data, false);
		run_area(l, &c, "s4");
		c.value = gpu_not_rest;
		run_area(l, &c, "s1");
		c.value = gpu_job;
		run_area(l, &c, "s0");
		close_lane(l);
	}
	c = (struct run_curve){ gpu_busy, g->address, l->s->sample_count, false, 0, 100 };
	sums = run_sum_up(l->s, &c);
	if (sums.count > 0) {
		buf_clear(&name);
		buf_addf(&name, "activity, %s", g->address);
		buf_addf(&busy, "mean %.0f %%", sums.mean);
		open_lane(l, name.data, busy.data, true);
		run_area(l, &c, "s2");
		close_lane(l);
	}
}

/* ---- host and progress ---- */

static double host_used(const struct story *s, size_t i, const void *ctx)
{
	(void)ctx;
	return known(s->samples[i].host_used);
}

static double job_rss(const struct story *s, size_t i, const void *ctx)
{
	(void)ctx;
	return known(s->samples[i].rss);
}

/* To its own scale: beside all of the host's memory, growth is a flat line. */
static void job_lane(const struct run_lanes *l)
{
	struct run_curve c = { job_rss, NULL, l->s->sample_count, false, 0, 0 };
	struct run_sums sums = run_sum_up(l->s, &c);
	struct buf says BUF_SCOPED = { 0 };

	if (sums.count == 0 || !(sums.most > 0))
		return;
	c.most = sums.most;
	bytes_of_total(&says, sums.most, -1);
	open_lane(l, "memory of the job", says.data, true);
	run_area(l, &c, "s0");
	close_lane(l);
}

static void host_lane(const struct run_lanes *l)
{
	struct buf says BUF_SCOPED = { 0 };
	struct run_curve c = { host_used, NULL, l->s->sample_count, false, 0, 0 };
	struct run_sums sums = run_sum_up(l->s, &c);
	int64_t total = -1;

	for (size_t i = 0; i < l->s->sample_count; i++)
		if (l->s->samples[i].host_total > total)
			total = l->s->samples[i].host_total;
	if (sums.count == 0)
		return;
	c.most = total > 0 ? (double)total : sums.most;
	bytes_of_total(&says, sums.most, total);
	open_lane(l, "host memory", says.data, true);
	run_area(l, &c, "s4");
	c.value = job_rss;
	run_area(l, &c, "s0");
	close_lane(l);
}

/* The mean of an epoch and the loss of a batch are no one curve. */
static bool is_of_epoch(const struct story_point *p)
{
	return isnan(p->batch) && isnan(p->step) && isnan(p->percent);
}

static double loss(const struct story *s, size_t i, const void *of_epochs)
{
	const struct story_point *p = &s->points[i];
	bool wanted = is_of_epoch(p) == (of_epochs != NULL);

	return wanted && isfinite(p->loss) ? p->loss : NAN;
}

static double share_done(const struct story *s, size_t i, const void *ctx)
{
	(void)ctx;
	return story_share_done(s, i);
}

static void progress_lane(const struct run_lanes *l)
{
	struct run_curve c = { share_done, NULL, l->s->point_count, true, 0, 1 };
	struct run_sums sums = run_sum_up(l->s, &c);
	struct buf says BUF_SCOPED = { 0 };

	if (sums.count == 0)
		return;
	buf_addf(&says, "reached %.0f %%", 100 * (sums.most > 1 ? 1 : sums.most));
	open_lane(l, "progress", says.data, true);
	run_line(l, &c, "c0");
	close_lane(l);
}

static void loss_lane(const struct run_lanes *l)
{
	struct run_curve c = { loss, NULL, l->s->point_count, true, 0, 0 };
	struct run_curve of_epochs = { loss, &c, l->s->point_count, true, 0, 0 };
	struct run_sums sums = run_sum_up(l->s, &c), means = run_sum_up(l->s, &of_epochs);
	struct buf says BUF_SCOPED = { 0 };
	bool epochs = means.count > sums.count;

	if (epochs) {
		c = of_epochs;
		sums = means;
	}
	if (sums.count < 2)
		return;
	c.least = sums.least;
	c.most = sums.most;
	buf_addf(&says, "from %.4g to %.4g", sums.first, sums.last);
	open_lane(l, epochs ? "loss per epoch" : "loss", says.data, true);
	run_line(l, &c, "c3");
	close_lane(l);
}

/* ---- the frame ---- */

/* Only what is drawn: on a machine without GPUs nothing of them. */
static void legend(const struct run_lanes *l, const struct story_sample *widest)
{
	static const struct {
		double (*value)(const struct story *s, size_t i, const void *ctx);
		const char *key, *says;
		bool of_gpu;
	} keys[] = {
		{ gpu_job, "s0", "the job", true },
		{ job_rss, "s0", "the job", false },
		{ gpu_others, "s1", "other processes", true },
		{ gpu_unowned, "s4", "owner unknown", true },
		{ host_used, "s4", "owner unknown", false },
		{ gpu_busy, "s2", "GPU active", true },
	};
	const char *last = "";
	bool any = false;

	for (size_t k = 0; k < sizeof(keys) / sizeof(keys[0]); k++) {
		size_t gpus = keys[k].of_gpu ? (widest ? widest->gpu_count : 0) : 1;
		bool drawn = false;

		for (size_t g = 0; g < gpus && !drawn; g++) {
			struct run_curve c = { keys[k].value,
					       keys[k].of_gpu ? widest->gpus[g].address : NULL,
					       l->s->sample_count,
					       false,
					       0,
					       0 };

			drawn = run_sum_up(l->s, &c).most > 0;
		}
		if (!drawn || strcmp(last, keys[k].says) == 0)
			continue;
		buf_text(l->out, any ? "" : "<ul class=\"legend\">");
		html(l->out, "<li><span class=\"key %s\"></span>%s</li>", keys[k].key,
		     keys[k].says);
		any = true;
		last = keys[k].says;
	}
	buf_text(l->out, any ? "</ul>\n" : "");
}

void run_lanes(const struct story *s, struct buf *out)
{
	struct run_lanes l = { s, 0, 0, out };
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
	run_flags(&l);
	progress_lane(&l);
	loss_lane(&l);
	buf_text(out, widest && widest->gpu_count > FEW ? "<div class=\"beside\">\n" : "<div>\n");
	for (size_t i = 0; widest && i < widest->gpu_count; i++) {
		buf_text(out, "<div>");
		gpu_lanes(&l, &widest->gpus[i]);
		buf_text(out, "</div>\n");
	}
	buf_text(out, "</div>\n");
	job_lane(&l);
	host_lane(&l);
	run_axis(&l);
	legend(&l, widest);
	buf_text(out, "</figure>\n");
}
