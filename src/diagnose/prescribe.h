#pragma once

/*
 * prescribe - which remedies fit a finding
 *
 * A remedy may have a statement of its own: it is offered only where that has
 * a row of the finding's subject, or of the machine, and the row's value is
 * put into its words. So a wheel is named that has code for this GPU, and an
 * override only where it is known to be good. In a command line the value is
 * quoted for the shell: it may be a path that somebody else chose.
 */

#include "diagnose/ask.h"
#include "diagnose/fill.h"

/* Once for all findings of a cause, before the next one is asked. */
void prescribe(struct asker *asker, const struct cause *cause, struct finding *findings,
	       size_t count);

/*
 * Lines with facts put in; in a command line as one word of a shell. A line for
 * a user and a group is left out where the value names none.
 */
const char *prescribe_steps(struct arena *a, const char *steps, const struct fill *with);
