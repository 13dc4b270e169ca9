#pragma once

/*
 * explain-format - how an explanation is written, by --format or --json
 */

#include "cli/options.h"
#include "report/explain.h"

struct explain_format {
	const char *name;
	/* One answer; `is_part`: one of several, shorter where people read it. */
	void (*write)(const struct explain_report *r, bool is_part, struct page *p);
	bool worst_first; /* of several, else in the order of the files */
	bool leaves;      /* made to be handed on: pseudonyms for names */
	bool is_read;     /* by people, not by programs */
	/* Around several; NULL: nothing. */
	void (*begin)(const struct explain_summary *s, struct page *p);
	void (*end)(const struct explain_summary *s, struct page *p);
	/* One of several that got no answer; NULL: it is told on standard error alone. */
	void (*unread)(const struct explain_unread *u, struct page *p);
	const struct document_pages *pages; /* the writer of a page, or NULL */
};

const struct explain_format *explain_format_of(const struct options *o);

/* Whether each cause is written with its remedies, and not the steps of the answer alone. */
bool explain_format_lists(const struct options *o);
