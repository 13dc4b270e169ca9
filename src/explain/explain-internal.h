#pragma once

/*
 * explain-internal - what the files share that work at one explanation
 */

#include "base/map.h"
#include "diagnose/gaps.h"
#include "explain/explain-rules.h"
#include "explain/explain.h"

struct explainer {
	sqlite3 *db;
	const struct explain_rules *rules;
	struct guard *guard; /* that is kept, or NULL */
	struct explanation *e;
	struct map by_slug;
	struct map by_signature; /* to its event */
	bool no_gpu;             /* this host has none: the log is probably of another */
};

/* Of which nothing is known yet but what the knowledge says of it. */
struct explain_cause explain_cause_of(struct arena *a, const struct cause *from,
				      const char *counts_as);

/* What to do about causes for which something spoke only after they were asked. 0 or -EIO. */
int explain_prescribe(struct explainer *x, struct explain_cause *const *list, size_t count);

/* Asks each cause by the facts, as `check` does, and adds what counts for a log. */
void explain_ask_facts(struct explainer *x, const struct gaps *gaps);
