#pragma once

/*
 * explain-parts - what the forms of an explanation have in common
 *
 * Markdown and HTML say what the text says, and leave nothing out.
 */

#include "base/json-write.h"
#include "report/explain.h"

/* The answer in a sentence: the cause's title, "Not recognised", ... */
void explain_headline(const struct explain_report *r, struct buf *ret);

/* Behind "No known error": how many failures were followed by work; nothing without one. */
void explain_but_survived(const struct explanation *e, struct buf *ret);

/* An error of which nobody can say what happened: it is quoted under "Not recognised". */
bool explain_is_unnamed(const struct failure *f);

/* What stands above the line that such an answer quotes, and above the causes that one names. */
const char *explain_quote_title(const struct failure *f);
const char *explain_causes_title(const struct explanation *e);

/* The first error, which is quoted as well; NULL: it says the same as the last. */
const struct failure_line *explain_first_error(const struct failure *f);

/* What happened, of an answer that names no cause: a known event, else the error itself. */
void explain_what_happened(const struct explanation *e, struct buf *ret);

/* A line of this kind that the answer does not quote already. */
bool explain_is_listed(const struct explanation *e, const struct explain_event *v,
		       const char *kind);

/* What is known of a setting as a sentence, and above all of them. */
#define EXPLAIN_SETTINGS "Settings"
void explain_setting_text(const struct explain_setting *s, struct buf *ret);

/* Of a page, and beside the headline: "certain", "not recognised", ... */
enum page_mark explain_mark(const struct explanation *e);
const char *explain_said_word(enum explain_word word);

/* What a step says: the title of its remedy, a cure, or a sentence. */
const char *explain_step_title(const struct explain_step *s);

/* The causes to name, and to show the evidence of. */
size_t explain_named(const struct explanation *e);

/* For which of several causes a step is; NULL: there is one, or it tells them apart. */
const char *explain_step_cause(const struct explanation *e, const struct explain_step *s);

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
 * Then whether `rocsteady check` on that machine is worth naming behind the steps.
 */
const struct explain_look *explain_first_look(const struct explain_report *r);
bool explain_wants_check(const struct explain_report *r);
/* The word that stands for the user's own command, where the text does not show it. */
#define EXPLAIN_COMMAND_IS "COMMAND is what you typed to start the job."
bool explain_says_command(const struct buf *out,
			  size_t from); /* in what was printed from there on */

#define EXPLAIN_ELSE_CHECK "If that does not help, on the machine that failed:"

/* How such things happen. NULL of a family: the story of one is not that of the others. */
const char *explain_story(const struct explanation *e);

/* What a report that is handed on says of the names in it. */
const char *explain_handed_on(bool scrubbed);

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

bool explain_has(const struct explanation *e, const char *kind); /* an event of that kind */
