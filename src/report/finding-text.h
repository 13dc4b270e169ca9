#pragma once

/*
 * finding-text - the head of a finding and what speaks for it
 *
 * The same lines in every report that names a finding.
 */

#include "diagnose/diagnose.h"
#include "report/page.h"

/* Title, subject where the title has it not, cause and belief. */
void finding_heading(struct page *p, const struct finding *f);
void finding_heading_as(struct page *p, const struct finding *f, const char *word);

/* What counted in the sum, with its sources. */
void finding_evidence(struct page *p, const struct finding *f);
