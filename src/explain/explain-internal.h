#pragma once

/*
 * explain-internal - what the files share that work at one explanation
 */

#include "base/map.h"
#include "diagnose/ask.h"
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
	bool steps_alone;        /* as in struct explain_means */
	/* From the first question about the facts to the end; between questions it stands aside. */
	struct asker asker;
	struct gaps gaps; /* its own */
	struct guard_aside aside;
	bool asks;
};

/* Of which nothing is known yet but what the knowledge says of it. */
struct explain_cause explain_cause_of(struct arena *a, const struct cause *from,
				      const char *counts_as);

/* Asks each cause by the facts, as `check` does, and adds what counts for a log. 0 or -EIO. */
int explain_ask_facts(struct explainer *x);

/* What to do about these causes; one that has its remedies is passed over. 0 or -EIO. */
int explain_prescribe(struct explainer *x, struct explain_cause *const *list, size_t count);

/* One remedy that is for no cause; NULL where it does not fit. 0 or -EIO. */
int explain_prescribe_alone(struct explainer *x, const char *id, const struct remedy **ret);

/* The rows of a statement that is no evidence. 0 or -EIO. */
int explain_ask(struct explainer *x, const struct rule *rule, struct asked *ret);

/* Questions end here, or there was none. */
void explain_end_asking(struct explainer *x);
