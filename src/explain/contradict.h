#pragma once

/*
 * contradict - causes that a line speaks for and the machine, or another line, rules out
 *
 * Where that leaves next to no belief in a cause, it is not named as one that it may
 * be, and gives no step. A warning that spoke for it says what the machine shows.
 */

#include "explain/belief.h"

/* After belief was shared. */
void contradict(const struct belief_rules *rules, struct explanation *e);
