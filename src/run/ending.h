#pragma once

/*
 * ending - what the end of a job means
 *
 * From how it ended, the first failure in its output, the explanation that log
 * and machine give together, and the workarounds that apply: a few lines for the
 * user, and what to do next.
 */

#include "run/evidence.h"
#include "run/night.h"

struct ending {
	struct arena arena; /* of the plan */
	struct explanation why;
	bool explained;
	struct night night;             /* what its own samples and progress say */
	struct workarounds workarounds; /* of the causes that are believed in */
	struct buf text;                /* lines; empty: nothing to say */
	struct buf helps;               /* lines for the journal: what can be done (retry.h) */
	struct retry_plan plan;         /* whether it goes on */
};

/* `scanner` may be NULL. */
void ending_make(struct ending *v, const struct evidence *e, const struct run_order *order,
		 const struct shared_memory *s, struct scanner *scanner);
void ending_done(struct ending *v);
