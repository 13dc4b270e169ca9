#pragma once

/*
 * settings - the job's variables, in its environment and among the facts
 *
 * The facts are of the machine that is judged, the variables those that the job
 * will get: what is set or unset for it is changed in both.
 */

#include "diagnose/workarounds.h"
#include "facts/facts.h"

/* Our own variables as facts. Paths and names of the surroundings stay the machine's. */
void settings_tell(struct facts *facts);

/* For the job to come; `facts` may be NULL. */
void settings_put(struct facts *facts, const struct workaround *w);

/* The value, or NULL. */
const char *settings_value(const char *name);

/* This process, as the option --pid names one. */
void settings_self(char ret[static 24]);

/*
 * Writes a file for Python below the run's directory, which limits the framework's
 * memory when it is loaded: no variable does that. 0 or -errno.
 */
#define SETTINGS_FRACTION "ROCSTEADY_MEMORY_FRACTION"
int settings_write_hook(const char *directory);
