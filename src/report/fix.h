#pragma once

/*
 * fix (report) - what can be done, for people and for programs
 *
 * Only renders: which remedies, in which order and how a step is numbered was
 * decided before.
 */

#include "base/json-write.h"
#include "diagnose/steps.h"
#include "fix/plan.h"
#include "report/page.h"

struct fix_report {
	const struct diagnosis *diagnosis;
	const struct fix_plan *plan;
	const char *kb_version;
	bool verbose;        /* what is optional too */
	enum shell shell;    /* that commands are written for */
	bool elsewhere;      /* not to be changed from here: a snapshot, a mounted host */
	const char *tree;    /* that is changed, absolute; NULL: this host */
	const char *subject; /* that was asked for, or NULL */
	/* Options that were given, to be pasted again: to look, to act or verify, to take back. */
	const char *to_look, *to_act, *to_undo;
};

enum fix_call { FIX_SHOW, FIX_APPLY, FIX_UNDO, FIX_VERIFY };

/* The command line that does it to this item, as it was asked for. */
void fix_call_text(const struct fix_report *r, const struct fix_item *item, enum fix_call what,
		   struct buf *ret);

/* Every remedy of what is wrong. A healthy machine: one line. */
void fix_list_text(const struct fix_report *r, struct page *p);
void fix_list_json(const struct fix_report *r, struct buf *ret);

/* What --apply would change, or has changed, and what is left by hand. */
void fix_actions_text(const struct fix_report *r, const struct fix_item *item, struct page *p);
void fix_then_text(const struct fix_report *r, const struct fix_item *item, struct page *p);

/* Steps with their numbers, as those of an item. */
void fix_steps_text(const struct fix_report *r, const struct fix_step *list, size_t count,
		    struct page *p);

/* One remedy with its steps: a dry run. */
void fix_item_text(const struct fix_report *r, const struct fix_item *item, struct page *p);
