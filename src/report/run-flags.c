/* Around the lanes of a run: attempts, what happened, and the time. */

#include <math.h>

#include "report/html.h"
#include "report/run-curves.h"

const char *run_event_class(const struct story_event *e)
{
	static const char *const classes[] = { [STORY_FAILURE] = "problem",
					       [STORY_KERNEL] = "warning",
					       [STORY_HANG] = "undecided",
					       [STORY_HANG_OVER] = "good",
					       [STORY_EVENT] = "note" };

	return classes[e->kind];
}

static void attempt_flags(const struct run_lanes *l)
{
	buf_text(l->out, "<div class=\"strip\" aria-hidden=\"true\">");
	for (size_t i = 0; i < l->s->attempt_count && l->s->attempt_count > 1; i++)
		html(l->out, "<span class=\"flag try\" style=\"--at:%.2f%%\">attempt %u</span>",
		     run_x(l, l->s->attempts[i].start_ms) / 10, l->s->attempts[i].number);
	buf_text(l->out, "</div>\n");
}

#define FLAG_WIDTH 80.0  /* what one takes on a small screen: nearer ones share a flag */
#define FLAG_LAST  950.0 /* and it does not stand out at the right */

/* Events by their number in the table; of several close to each other the first and the last. */
static void event_flags(const struct run_lanes *l)
{
	size_t number = 0, first = 0;
	double x = -FLAG_WIDTH;

	buf_text(l->out, "<div class=\"strip\" aria-hidden=\"true\">");
	for (size_t i = 0; i < l->s->event_count; i++) {
		const struct story_event *e = &l->s->events[i];
		double place = fmin(run_x(l, e->at_ms), FLAG_LAST);

		if (!run_is_told(l->s, e))
			continue;
		number++;
		if (first > 0 && fabs(place - fmin(x, FLAG_LAST)) < FLAG_WIDTH)
			continue;
		if (first > 0 && number > first + 1)
			html(l->out, "-%zu", number - 1);
		buf_text(l->out, first > 0 ? "</span>" : "");
		x = run_x(l, e->at_ms);
		first = number;
		html(l->out, "<span class=\"flag %s\" style=\"--at:%.2f%%\">%zu",
		     run_event_class(e), x / 10, number);
	}
	if (first > 0 && number > first)
		html(l->out, "-%zu", number);
	buf_text(l->out, first > 0 ? "</span></div>\n" : "</div>\n");
}

void run_flags(const struct run_lanes *l)
{
	attempt_flags(l);
	event_flags(l);
}

/* Round times, so that a reader can count: at most MOST of them. */
#define MOST_TICKS 6

static uint64_t tick_ms(uint64_t span_ms)
{
	static const uint64_t steps[] = { 100,     200,     500,      1000,     2000,
					  5000,    10000,   15000,    30000,    60000,
					  120000,  300000,  600000,   900000,   1800000,
					  3600000, 7200000, 10800000, 21600000, 43200000 };
	size_t count = sizeof(steps) / sizeof(steps[0]);

	for (size_t i = 0; i < count; i++)
		if (span_ms / steps[i] < MOST_TICKS)
			return steps[i];
	return (span_ms / (MOST_TICKS - 1) / 86400000 + 1) * 86400000; /* whole days */
}

/* From the start of the run; tenths where a step is shorter than a second. */
static void tick(const struct run_lanes *l, uint64_t at, bool tenths)
{
	double x = run_x(l, at) / 10;
	char when[24];

	run_clock(l->s, at, when);
	html(l->out, "<i style=\"--at:%.2f%%\"></i><span style=\"--at:%.2f%%\">%s", x, x, when);
	if (tenths)
		html(l->out, ".%u", (unsigned int)((at - l->start) / 100 % 10));
	buf_text(l->out, "</span>");
}

void run_axis(const struct run_lanes *l)
{
	uint64_t step = tick_ms(l->end - l->start);

	buf_text(l->out, "<div class=\"axis\">");
	for (uint64_t at = l->start; at <= l->end; at += step)
		tick(l, at, step < 1000);
	buf_text(l->out, "</div>\n");
}
