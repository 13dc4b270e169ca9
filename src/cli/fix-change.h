#pragma once

/*
 * fix-change - what `rocsteady fix` changes and takes back
 *
 * Each returns an exit status after saying what happened.
 */

#include "cli/options.h"
#include "report/fix.h"

/* --applied: every record. */
int fix_change_list(const struct options *o);

/* Shows what will be done, asks, and does it. */
int fix_change_apply(const struct options *o, const struct fix_report *report,
		     const struct fix_item *item);

/* Goes on with one that was begun, though what it is for is not found any more. False: none was. */
bool fix_change_resume(const struct options *o, const struct fix_report *report, int *ret_status);

int fix_change_undo(const struct options *o);
