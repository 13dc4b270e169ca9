#pragma once

/*
 * snapshot-proof - a snapshot as evidence of how rocsteady does on real hardware
 *
 * The walk of `probe`, the answer of `check`, both versions and a digest go into
 * one scrubbed file. What it would hold is shown before it is written.
 */

#include "cli/options.h"

/* 0, or an exit status after saying what is wrong. */
int snapshot_proof(const struct options *o);
