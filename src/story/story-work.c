/* The work of an attempt, and the part of it that the next attempt repeated. */

#include <math.h>
#include <string.h>

#include "story/story.h"

/* A point's position in the unit of all points; NAN: the point has none. */
static double place_of(const struct story_point *p, const char *unit)
{
	if (strcmp(unit, "step") == 0)
		return p->step;
	if (strcmp(unit, "epoch") == 0)
		return p->epoch;
	if (p->epoch >= 1 && p->batches > 0)
		return (p->epoch - 1) * p->batches + p->batch;
	return p->batch;
}

static uint64_t end_of(const struct story *s, size_t attempt)
{
	return attempt + 1 < s->attempt_count ? s->attempts[attempt + 1].start_ms : UINT64_MAX;
}

static bool is_within(const struct story *s, const struct story_point *p, size_t attempt)
{
	return p->at_ms >= s->attempts[attempt].start_ms && p->at_ms < end_of(s, attempt);
}

static const char *unit_of(const struct story *s)
{
	static const char *const units[] = { "step", "batch" };

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		for (size_t k = 0; k < s->point_count; k++)
			if (!isnan(place_of(&s->points[k], units[i])))
				return units[i];
	return "epoch";
}

static const char *resumed_of(const struct story *s, size_t attempt)
{
	for (size_t i = 0; i < s->event_count; i++)
		if (s->events[i].kind == STORY_EVENT && s->events[i].attempt == attempt + 1 &&
		    strcmp(s->events[i].name, "resumed") == 0)
			return s->events[i].text;
	return "";
}

bool story_work_again(const struct story *s, size_t attempt, struct story_work *ret)
{
	struct story_work w = { .unit = unit_of(s), .reached = NAN, .began = NAN };
	uint64_t passed = 0;

	if (attempt == 0 || attempt >= s->attempt_count)
		return false;
	w.resumed = resumed_of(s, attempt);
	for (size_t i = 0; i < s->point_count && isnan(w.began); i++)
		if (is_within(s, &s->points[i], attempt))
			w.began = place_of(&s->points[i], w.unit);
	for (size_t i = 0; i < s->point_count; i++) {
		double place = place_of(&s->points[i], w.unit);

		if (!is_within(s, &s->points[i], attempt - 1) || isnan(place))
			continue;
		w.reached = isnan(w.reached) || place > w.reached ? place : w.reached;
		if (passed == 0 && place >= w.began)
			passed = s->points[i].at_ms;
	}
	w.again = w.reached - w.began + 1;
	if (!(w.again > 0))
		w.again = w.again <= 0 ? 0 : NAN;
	else if (passed > 0 && s->attempts[attempt - 1].last_ms > passed)
		w.again_ms = s->attempts[attempt - 1].last_ms - passed;
	*ret = w;
	return w.resumed[0] || !isnan(w.again);
}
