#pragma once

/*
 * finish - `rocsteady advise` in a step, finished with what is known
 *
 * Many steps send the reader to `rocsteady advise`. Where the GPU is known, by the text or by the
 * machine, the command names it and the system, and what it prints stands below it, so that
 * nobody has to run it first. It is read from the command itself, so no remedy can forget it.
 */

#include "diagnose/ask.h"

/* The same pointer, if there is nothing to finish; `steps` may be NULL. */
const char *finish_steps(struct asker *asker, const char *steps);
