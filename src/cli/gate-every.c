#include "cli/gate-every.h"

#include <string.h>
#include <time.h>

#include "cli/pool.h"
#include "cli/say.h"

#define LEAST_S 10
#define MOST_S  600 /* a verdict that is older tells nothing */

struct rounds {
	const struct options *options;
	int (*round)(const struct options *o);
};

static void make_round(void *ctx, size_t item, struct buf *ret)
{
	struct rounds *r = ctx;

	(void)item;
	(void)r->round(r->options); /* the answer is written; its status is asked by nobody */
	buf_text(ret, "done");
}

static void end_round(void *ctx, size_t item, struct span answer, bool whole)
{
	(void)ctx;
	(void)item;
	if (!whole || answer.len == 0)
		say("rocsteady died while it looked at this node; the next look follows");
}

int gate_every(const struct options *o, int (*round)(const struct options *o))
{
	struct rounds rounds = { o, round };
	struct pool pool = { .count = 1, .ctx = &rounds, .work = make_round, .done = end_round };
	uint64_t seconds;
	int r;

	if (!span_u64(span_of(o->every), &seconds) || seconds < LEAST_S || seconds > MOST_S)
		return say_usage("gate", "--every takes seconds, from 10 to 600");
	for (;;) {
		struct timespec pause = { .tv_sec = (time_t)seconds };

		r = pool_run(&pool);
		if (r < 0)
			say("no process could be started: %s", strerror(-r));
		nanosleep(&pause, NULL);
	}
}
