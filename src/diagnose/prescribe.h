#pragma once

/*
 * prescribe - which remedies fit a finding
 *
 * A remedy may have a statement of its own: it is offered only where that has
 * a row of the finding's subject, or of the machine, and the row's value is
 * put into its words. So a wheel is named that has code for this GPU, and an
 * override only where it is known to be good. In a command line the value is
 * quoted for the shell: it may be a path that somebody else chose.
 *
 * A row of the origin "general" is the remedy's form for a machine of which
 * nothing is known. It needs no condition on what is not known, so a machine
 * that is known adds to the steps and takes none away. `check` offers it where
 * no other remedy fits; an explanation of a log offers it behind those that do.
 *
 * A remedy whose source nobody could check says so in its title. It stands behind
 * those that were checked, and is not offered where none of them fits.
 */

#include "diagnose/ask.h"
#include "diagnose/fill.h"

/* Once for all findings of a cause, before the next one is asked. */
void prescribe(struct asker *asker, const struct cause *cause, struct finding *findings,
	       size_t count);

/*
 * For what a log shows: also the general forms, behind those that fit. Where no
 * fact speaks for it the finding has no subject, and the first row will do.
 */
void prescribe_for_log(struct asker *asker, const struct cause *cause, struct finding *finding);

/* The remedy as it is on that system; NULL: there is nothing to do there. */
const struct remedy *prescribe_on(struct arena *a, const struct remedy *r, enum system system);

/* A title or cure as it is offered: with the reason why its source could not be checked, if any. */
const char *prescribe_says(struct arena *a, const char *says, const char *unchecked);

/*
 * Lines with facts put in; in a command line as one word of a shell. A line for
 * a user and a group is left out where the value names none.
 */
const char *prescribe_steps(struct arena *a, const char *steps, const struct fill *with);
