#pragma once

/*
 * functions - what rules may ask besides SQL's own functions
 *
 *   gfx_runs(code, device [, hip])      'exact', 'generic', 'spirv', or NULL
 *   gfx_device(gfx, sramecc, xnack)     target id of a device
 *   gfx_effective(device, override)     what an override makes of it, or NULL
 *   gfx_of_override(override)           the GPU that 10.3.0 names; NULL for 0.0.0, which is none
 *   gfx_refusal(ccob, cov, hip, comgr)  why a runtime cannot load such code, or NULL
 *   version_cmp(a, b)                   -1, 0 or 1, or NULL
 *   word_fits(words, value)             1 if the value begins with one of the words
 *
 * Pure, deterministic and short: they look at their arguments and at
 * data/loader.tsv (code/runs.h). An argument that is NULL is not known.
 */

#include <sqlite3.h>

/* The names, ending with NULL: for those who keep a list of what may be called. */
extern const char *const functions_names[];

/* An empty database in memory, with them. */
sqlite3 *functions_open(void);
