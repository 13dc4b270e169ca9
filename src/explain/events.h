#pragma once

/*
 * events - what the text says: the lines that are known, and what they say of the machine
 *
 * The tables have an event for each time that a line was met. An explanation
 * has one for each signature, with its sentence filled in.
 */

#include "explain/explain-internal.h"

/* Leaves hints in the tables only where nothing better is known. 0 or -EIO. */
int events_drop_hints(const struct explainer *x);

/* The events, in the order of the text, and the first failure among them. 0 or -EIO. */
int events_load(struct explainer *x);

/* What was said of the machine. 0 or -EIO. */
int events_load_facts(struct explainer *x);

/* Where no line is a failure, the first may be a warning, or a hint. */
void events_take_failure(struct explanation *e);
