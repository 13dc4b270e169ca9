#pragma once

/*
 * refute - steps that the facts of this case speak against
 *
 * The views `refuted_set`, `refuted_unset` and `refuted_install` (kb/derived-views.sql) tell what must not be advised here and why: to install
 * torch for a program that does not use it, to unset an override that the GPU needs, to set a
 * variable that nothing reads on this system. A step whose title or command lines do such a thing is
 * offered for no cause, or not for the one that the row names. `refuted_question` does the same for
 * steps that only look: torch's version tells nothing of a program that has no torch. What a command does is read from the
 * command itself, so no remedy can forget to say it.
 */

#include "diagnose/ask.h"

/* Whether one of the rows speaks against these words of a step; `steps` may be NULL. */
bool refute_step(struct asker *asker, const char *cause, const char *title, const char *steps);

/* The same of what only looks; `says` is a title, or a sentence with its command behind a colon. */
bool refute_look(struct asker *asker, const char *cause, const char *says, const char *steps);

/*
 * Whether a command line, or a title, does what an effect says: "sets NAME", "unsets NAME",
 * "installs PACKAGE" or "asks PACKAGE".
 */
bool refute_does(struct span line, struct span effect);

/* Whether it may do anything of that kind: if not, no effect is this line's. */
bool refute_acts(struct span line);
