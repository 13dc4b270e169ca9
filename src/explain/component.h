#pragma once

/*
 * component - which software an error comes from that no signature knows
 *
 * By a status code in the line (hipErrorContextIsDestroyed), or by the text that
 * its library prints for one ("HIP error: context is destroyed"): the same row
 * of kb.status_code, so the same answer. A code is met as a whole word, hence
 * hipErrorInvalidDevice not in hipErrorInvalidDeviceFunction. It says where the
 * error comes from and decides no cause.
 */

#include <sqlite3.h>

#include "explain/failure.h"

/* 1 with a copy of `from` that says so, 0: no component is known, or -EIO. */
int component_find(sqlite3 *db, struct arena *arena, const struct failure *from,
		   struct failure *ret);
