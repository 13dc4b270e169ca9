#pragma once

/*
 * gate-rehearse - what the gate would have done on every snapshot of a directory
 *
 * With --against also by another gate.conf or another kb.db. Nothing of this host
 * is read but the acknowledgements, and no verdict is kept.
 */

#include "cli/options.h"

/* 2: some would be drained, 3: none, and some could not be read; with --against 1: some differ. */
int gate_rehearse(const struct options *o);
