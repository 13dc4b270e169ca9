#pragma once

/*
 * score-report - how right explanations are, for people and for programs
 *
 * Only renders: a summary, the groups, calibration and confusion, and for each
 * record what was named and which lines decided it.
 */

#include "base/buf.h"
#include "explain/explain.h"
#include "lab/score.h"

struct score_report {
	const char *const *names; /* of the presentations */
	const struct score *scores, *likely;
	size_t count;
	size_t worst; /* the presentation that counts: that of the least gain */
	const struct score_confusion *confusion;
	const struct score_case *cases;
	size_t case_count;
	const struct score_constant *constant;
	const char *const *alarms; /* names of healthy ones with something to cure */
	size_t alarm_count;
};

void score_text(const struct score_report *r, struct buf *ret);
void score_json(const struct score_report *r, struct buf *ret);

/* What a true fact made worse. */
void score_facts_text(const struct score_facts *f, struct buf *ret);
