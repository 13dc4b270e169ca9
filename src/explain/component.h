#pragma once

/*
 * component - which software an error comes from that no signature knows
 *
 * By a status code in the line (hipErrorContextIsDestroyed), or by the text that
 * its library prints for one ("HIP error: context is destroyed"): the same row
 * of kb.status_code, so the same answer. A code is met as a whole word, hence
 * hipErrorInvalidDevice not in hipErrorInvalidDeviceFunction. Else by what the
 * sources of software are known to print (explain/printed.h), and by the head that
 * a logger writes or the file that a traceback ends in (explain/component.c). It says
 * where the error comes from and decides no cause.
 */

#include <sqlite3.h>

#include "explain/failure.h"

/* 1 with a copy of `from` that says so, 0: no component is known, or -EIO. */
int component_find(sqlite3 *db, struct arena *arena, const struct failure *from,
		   struct failure *ret);

/*
 * The same of a text that shows no failure: it fails if its last line is an error in somebody's
 * source. By a head alone it does not, but who wrote the line is told.
 */
int component_of_closing(sqlite3 *db, struct arena *arena, const struct failure *from,
			 struct failure *ret);
