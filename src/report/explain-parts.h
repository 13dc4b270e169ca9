#pragma once

/*
 * explain-parts - what the forms of an explanation have in common
 */

#include "base/json-write.h"
#include "report/explain.h"

/* The whole answer, for the text, a page and a comment. */
void explain_document(struct document *d, const struct explain_report *r);

/* The answer in a sentence: the cause's title, "Not recognised", ... */
void explain_headline(const struct explain_report *r, struct buf *ret);

/* Behind "No known error": how many failures were followed by work; nothing without one. */
void explain_but_survived(const struct explanation *e, struct buf *ret);

/* An error of which nobody can say what happened: it is quoted under "Not recognised". */
bool explain_is_unnamed(const struct failure *f);

/* What stands above the line that such an answer quotes. */
const char *explain_quote_title(const struct failure *f);

/* Of a page, and beside the headline: "certain", "not recognised", ... */
enum page_mark explain_mark(const struct explanation *e);
const char *explain_said_word(enum belief word);

/* What a step says: the title of its remedy, a cure, or a sentence. */
const char *explain_step_title(const struct explain_step *s);

/* The causes to name, and to show the evidence of. */
size_t explain_named(const struct explanation *e);

/*
 * What the answer does not cover, a sentence each: files and a part of the log that
 * were not read, lines in which unknown errors were not looked for, an end that may be cut.
 */
#define EXPLAIN_SURVIVED 3 /* failures that ended nothing are shown */
#define EXPLAIN_CAVEATS  (6 + EXPLAIN_SURVIVED + 1)
size_t explain_caveats(const struct explain_report *r, struct arena *a,
		       const char *ret[EXPLAIN_CAVEATS]);

/*
 * Of an undecided answer: what would decide it, which is printed as the first step,
 * or NULL where nobody knows or the command does not exist on the system of the log.
 */
const struct explain_look *explain_first_look(const struct explain_report *r);

/* Where a defect is discussed, or NULL. */
const char *explain_defect_url(const struct defect_fit *d);

/*
 * The same of a cause's strongest defect, and the release that fixes it; without a defect a
 * thread about its line. The address and the release may be NULL.
 */
struct explain_upstream {
	const char *title, *url, *fixed_in;
};

struct explain_upstream explain_upstream(const struct explain_cause *c);

/* Of a line of a batch, as the asker wrote it. */
void explain_json_id(struct json *j, const struct batch_id *id);
