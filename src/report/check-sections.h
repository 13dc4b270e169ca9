#pragma once

/*
 * check-sections - what the reports of check share about the sections of findings
 *
 * diagnose decides the section of each; this counts them, marks them, and finds
 * the words for a title and for the subjects that a title speaks for.
 */

#include "diagnose/diagnose.h"
#include "report/page.h"

enum page_mark section_mark(const struct finding *f);

/* The first of its cause in a section speaks for the others. */
bool section_repeats(const struct diagnosis *d, size_t at);

/* Something is wrong or may be, and no finding before it speaks for this one. */
bool section_leads(const struct diagnosis *d, size_t at);

/* Findings of a section; of one severity, or of any with NULL. */
size_t section_count(const struct diagnosis *d, enum section section, const char *severity);

/* Title, with the subject behind it where the title does not name it. */
void section_title(const struct finding *f, struct buf *ret);

/* "also 0000:43:00.0, 0000:63:00.0 (likely)": whom the first speaks for; nothing if nobody. */
void section_others(const struct diagnosis *d, size_t first, struct buf *ret);

/* "certain", "likely" or "unclear". */
const char *section_belief(const struct finding *f);

/* "needs root", "low risk", "needs a reboot"; NULL: none. */
const char *section_risk(const struct remedy *r);
