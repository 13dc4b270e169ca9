#pragma once

/*
 * scorer - the knowledge measured on labelled failures
 */

#include "context/context.h"
#include "explain/engine.h"
#include "lab/lab.h"
#include "lab/score-records.h"
#include "lab/score.h"

struct scorer {
	const struct context_options *options;
	const struct lab *lab;
	struct context bare; /* for one record after the other */
	struct engine engine;
	struct score_records records; /* healthy ones after the others */
	struct arena arena;
	struct score scores[PRESENTATION_COUNT], likely[PRESENTATION_COUNT];
	struct score_confusion confusions[PRESENTATION_COUNT];
	struct score_case *cases;
	size_t case_count;
	struct score_constant constant; /* what no diagnosis at all would reach */
	const char **alarms;
	size_t alarm_count;
};

/* All records, then the healthy machines of a directory; NULL: tests/machines. 0 or an exit status. */
int scorer_run(struct scorer *s, const char *machines);

/* The way of presenting in which it does worst. */
size_t scorer_worst(const struct scorer *s);

/* ---- for other measurements of the same records ---- */

/* The knowledge for one record after the other; false with the reason added to what is said. */
bool scorer_open(struct scorer *s);

/* A record with these facts of its `env`, in this order, instead of all of them. 0 or -EIO. */
int scorer_explain(struct scorer *s, const struct score_record *r, enum presentation how,
		   const struct json_node *const *told, size_t count, struct explanation *ret);

/* What it is graded by; outlives the explanation. */
struct score_answer scorer_answer(struct scorer *s, const struct score_record *r,
				  const struct explanation *e);

void scorer_done(struct scorer *s);
