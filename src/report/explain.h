#pragma once

/*
 * explain (report) - an explanation, for people and for programs
 *
 * Only renders. The first line is the answer; every line of evidence names the
 * line of the log or the file it stands on.
 */

#include "diagnose/steps.h"
#include "explain/batch-line.h"
#include "explain/explain.h"
#include "report/document.h"

struct explain_report {
	const struct explanation *explanation;
	const char *file; /* how the text is called; NULL: it is several files */
	const char *used; /* which facts were joined: "the log alone", "this machine", ... */
	unsigned long long lines;
	const char *kb_version;
	bool verbose;
	bool scrubbed;               /* names are pseudonyms */
	enum shell shell;            /* that steps are written for */
	const char *const *left_out; /* files that could not be made a part of the text */
	size_t left_out_count;
	const struct batch_id *id;          /* of a line of a batch, or NULL */
	const struct document_pages *pages; /* the writer, of what is handed on; else NULL */
};

/* A file among several that got no answer. */
struct explain_unread {
	const char *file, *why; /* "it is empty" */
	const struct document_pages *pages;
};

/* Of several answers. */
struct explain_summary {
	size_t files;
	size_t answers[BELIEF_CERTAIN + 1]; /* by their word */
	size_t empty, binary, unread;       /* files that got none */
	const char *kb_version;
	bool scrubbed;
	const struct document_pages *pages;
};

void explain_text(const struct explain_report *r, struct page *p);
void explain_json(const struct explain_report *r, struct buf *ret);

/* The same in about 2 kB; docs/compact.schema.json. */
void explain_compact(const struct explain_report *r, struct buf *ret);

/* Markdown to post below a report: under 40 lines, details folded. `is_part`: the file is named. */
void explain_comment(const struct explain_report *r, bool is_part, struct page *p);

/* One of several: the file, what is wrong, the line, the first step. */
void explain_brief(const struct explain_report *r, struct page *p);
void explain_summary_text(const struct explain_summary *s, struct page *p);

void explain_json_unread(const struct explain_unread *u, struct page *p);

/* A line of a batch, by its number, that got no answer. */
void explain_json_error(const struct batch_id *id, unsigned long long line, const char *why,
			struct buf *ret);

/* Markdown or HTML. `is_part`: one of several, without what stands around them. */
void explain_page(const struct explain_report *r, bool is_part, struct page *p);
void explain_page_begin(const struct explain_summary *s, struct page *p);
void explain_page_end(const struct explain_summary *s, struct page *p);
void explain_page_unread(const struct explain_unread *u, struct page *p);

/* Records of report/annotations.h: one, or none if nothing is wrong. */
void explain_annotations(const struct explain_report *r, bool is_part, struct page *p);
void explain_annotations_unread(const struct explain_unread *u, struct page *p);

/* "3 files: 1 broken, 1 not recognised, 1 ok" */
void explain_summary_words(const struct explain_summary *s, struct buf *ret);
