#include "cli/pool.h"

const bool pool_separates = false;

/* There is no fork: one after the other, here. */
int pool_run(const struct pool *p)
{
	for (size_t i = 0; i < p->count; i++) {
		struct buf answer BUF_SCOPED = { 0 };

		p->work(p->ctx, i, &answer);
		p->done(p->ctx, i, buf_get(&answer), true);
	}
	return 0;
}
