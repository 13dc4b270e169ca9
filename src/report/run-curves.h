#pragma once

/*
 * run-curves - values over time as pictures, for the lanes of a run
 *
 * A lane is stretched to the width of the page, so no words stand in its
 * picture: they would be stretched too. Its units are thousandths of the time.
 */

#include "report/run.h"

#define RUN_WIDE 1000.0
#define RUN_TALL 100.0

struct run_lanes {
	const struct story *s;
	uint64_t start, end;
	struct buf *out;
};

double run_x(const struct run_lanes *l, uint64_t at);

/* A value of the i-th sample or point; NAN: none. */
struct run_curve {
	double (*value)(const struct story *s, size_t i, const void *ctx);
	const void *ctx;
	size_t count;
	bool of_points; /* else of samples */
	double least, most;
};

void run_line(const struct run_lanes *l, const struct run_curve *c, const char *class);
void run_area(const struct run_lanes *l, const struct run_curve *c, const char *class);

struct run_sums {
	double first, last, least, most, mean; /* NAN: there are none */
	size_t count;
};
struct run_sums run_sum_up(const struct story *s, const struct run_curve *c);

/* What happened, numbered as in the table, and the time: around the lanes. */
const char *run_event_class(const struct story_event *e);
void run_flags(const struct run_lanes *l);
void run_axis(const struct run_lanes *l);
