#pragma once

/*
 * gate-every - a verdict again and again, where nothing else starts one
 *
 * For a container whose image has nothing but this program. Each look is a child
 * of its own: what one leaves behind, or dies of, is gone with it.
 */

#include "cli/options.h"

/* `round` renews the verdict and answers. Does not return but for wrong options. */
int gate_every(const struct options *o, int (*round)(const struct options *o));
