#pragma once

/*
 * evidence - what speaks for a cause: lines of the text, and known defects
 *
 * What the facts say for it is asked by ask-facts.c.
 */

#include "explain/explain-internal.h"

/* One more sign for a cause: all that is said is said with yes. */
void evidence_add(struct explainer *x, struct explain_cause *c, struct sign sign);

/* By what the signatures of the events suggest. 0 or -EIO. */
int evidence_add_suggestions(struct explainer *x);

/* By the defects that fit what is said of the machine. 0 or -EIO. */
int evidence_add_defects(struct explainer *x);
