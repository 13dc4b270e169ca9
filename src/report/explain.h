#pragma once

/*
 * explain (report) - an explanation, for people and for programs
 *
 * Only renders. The first line is the answer; every line of evidence names the
 * line of the log or the file it stands on.
 */

#include "diagnose/steps.h"
#include "explain/explain.h"
#include "report/page.h"

struct explain_report {
	const struct explanation *explanation;
	const char *used; /* which facts were joined: "the log alone", "this machine", ... */
	unsigned long long lines;
	const char *kb_version;
	bool verbose;
	enum shell shell; /* that steps are written for */
};

void explain_text(const struct explain_report *r, struct page *p);
void explain_json(const struct explain_report *r, struct buf *ret);
