#pragma once

/*
 * fix-hand - what `rocsteady fix` changes, takes back and finds cured
 *
 * Each returns an exit status after saying what happened.
 */

#include "cli/options.h"
#include "report/fix.h"

/* Shows what will be done, asks, and does it. */
int fix_hand_apply(const struct options *o, const struct fix_report *report,
		   const struct fix_item *item);

/* Goes on with one that was begun, though what it is for is not found any more. */
bool fix_hand_is_begun(const struct options *o);
int fix_hand_resume(const struct options *o, const struct fix_report *report);

int fix_hand_undo(const struct options *o);
