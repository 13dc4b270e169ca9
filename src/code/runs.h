#pragma once

/*
 * runs - would the loader take this code for this GPU?
 *
 * HIP's and ROCR's rule, for one code object and one device: the processor is
 * the same, or the object is of a generic target that covers it, and every
 * feature that the object states is the device's. Which runtime knows generic
 * targets, SPIR-V, compressed bundles and new code object versions is a table
 * (data/loader.tsv) with a source for each row.
 */

#include "base/span.h"

enum runs {
	RUNS_NOT,
	RUNS_EXACT,
	RUNS_GENERIC,
	RUNS_SPIRV, /* compiled at load time */
};

/*
 * `code` and `device` are target ids; `hip` the runtime's version ("6.2",
 * "7.2.53211"), empty if it is not known: then the newest rules hold.
 */
enum runs gfx_runs(struct span code, struct span device, struct span hip);

/* What HSA_OVERRIDE_GFX_VERSION makes of a device: its effective id. False if the runtime would refuse it. */
bool gfx_effective(struct span device, struct span override, char *ret, size_t size);

/* May this runtime load such a file? NULL, or why not: "compressed bundles need ROCm 6.2". */
const char *runs_refusal(unsigned int ccob_version, unsigned int cov, struct span hip,
			 struct span comgr);

const char *runs_name(enum runs r); /* "exact", "generic", "spirv"; NULL for RUNS_NOT */
