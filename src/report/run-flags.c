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

		if (!run_is_told(e))
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

void run_axis(const struct run_lanes *l)
{
	char when[24];

	buf_text(l->out, "<div class=\"axis\">");
	for (int i = 0; i <= 4; i++) {
		run_clock(l->s, l->start + (l->end - l->start) * (uint64_t)i / 4, when);
		html(l->out, "<span>%s</span>", when);
	}
	buf_text(l->out, "</div>\n");
}
