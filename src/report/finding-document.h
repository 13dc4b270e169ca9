#pragma once

/*
 * finding-document - a finding as a document, for every report that names one
 */

#include "diagnose/diagnose.h"
#include "diagnose/steps-shared.h"
#include "diagnose/steps.h"
#include "report/document.h"

/* What stands below the headline. */
enum finding_part {
	FINDING_OTHERS = 1,       /* for which other subjects it speaks */
	FINDING_ACKNOWLEDGED = 2, /* until when, by whom */
	FINDING_STEPS = 4,
	FINDING_SEEN = 8,
	FINDING_UNKNOWN = 16, /* facts that nobody could read */
	FINDING_DECIDE = 32,  /* what would decide it */
	FINDING_STORY = 64,
	FINDING_WHOLE = 127,
};

struct finding_report {
	const struct diagnosis *diagnosis;
	unsigned int parts; /* enum finding_part */
	const char *word;   /* behind the cause; NULL: how sure it is */
	bool verbose;       /* every step whole */
	bool scrubbed;      /* who acknowledged it stays out */
	enum shell shell;
	struct steps_owner owner; /* whose pseudonyms stand in commands that are handed on */
};

void finding_add(struct document *d, const struct finding_report *r, const struct finding *f);
void finding_add_steps(struct document *d, struct document_node *to, const struct finding_report *r,
		       const struct finding *f);

void finding_text(const struct finding_report *r, const struct finding *f, struct page *p);
