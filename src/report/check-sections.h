#pragma once

/*
 * check-sections - which finding stands where in a report of check
 *
 * One order for text, HTML and Markdown: what is wrong, what follows from it,
 * what is undecided, what the site knows already, notes, myths.
 */

#include "diagnose/diagnose.h"
#include "report/page.h"

enum section {
	SECTION_CAUSE,
	SECTION_CONSEQUENCE,
	SECTION_UNDECIDED,
	SECTION_ACKNOWLEDGED,
	SECTION_NOTE,
	SECTION_MYTH,
	SECTION_SILENT, /* undecided, and of no weight: only with --verbose */
	SECTIONS,
};

enum section section_of(const struct finding *f);

bool section_holds(const struct finding *f); /* likely or certain */
enum page_mark section_mark(const struct finding *f);

/* The first of its cause in a section speaks for the others. */
bool section_repeats(const struct diagnosis *d, size_t at);

/* Findings of a section; of one severity, or of any with NULL. */
size_t section_count(const struct diagnosis *d, enum section section, const char *severity);

/* Title, with the subject behind it where the title does not name it. */
void section_title(const struct finding *f, struct buf *ret);

/* "also 0000:43:00.0, 0000:63:00.0 (likely)": whom the first speaks for; nothing if nobody. */
void section_others(const struct diagnosis *d, size_t first, struct buf *ret);

/* "as root", "low risk", "needs a reboot"; NULL: none. */
const char *section_risk(const struct remedy *r);
