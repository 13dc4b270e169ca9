#pragma once

/*
 * closure - all that a prober would load, judged before root starts one
 *
 * Not the named libraries alone: what they need, by the loader's own rule, the
 * directories in which they would look for more, and for a framework all that
 * its Python runs by itself: .pth files, sitecustomize, the packages.
 */

#include "door/trust.h"
#include "probe/probe.h"

/* False with the reason. `framework`: the Python of the options runs too. */
bool closure_trust(struct trust *t, const struct probe_options *o, bool framework,
		   struct buf *ret_why);
