#pragma once

/*
 * runs - would the loader take this code for this GPU?
 *
 * HIP's and ROCR's rule, for one code object and one device: the processor is
 * the same, or the object is of a generic target that covers it, and every
 * feature that the object states is the device's. A feature that the device's
 * id leaves open, though the processor has it, fits both. Which runtime knows
 * which processor, generic target and form of code is a table
 * (data/loader.tsv) with a source for each row; what has no row is not judged.
 */

#include "base/span.h"
#include "parse/target-id.h"

enum runs {
	RUNS_NOT,
	RUNS_EXACT,
	RUNS_GENERIC, /* a target that stands for several processors */
	RUNS_SPIRV,   /* compiled at load time */
};

/*
 * `code` and `device` are target ids; `hip` the runtime's version ("6.2",
 * "7.2.53211"), empty if it is not known: then the newest rules hold.
 */
enum runs gfx_runs(struct span code, struct span device, struct span hip);

/*
 * The id of a device: its processor with the features it has. States are 1, 0,
 * or -1 for not known; then the default holds, or the feature is left out.
 * False for what is no processor's name; whether it exists is not checked.
 */
bool gfx_device(struct span processor, int sramecc, int xnack, char ret[static TARGET_ID_MAX]);

/*
 * The effective id of a device under HSA_OVERRIDE_GFX_VERSION, with the features
 * of the target it is taken for. False if the runtime would find no GPU: the value
 * is malformed, or stands for no target.
 */
bool gfx_effective(struct span device, struct span override, char ret[static TARGET_ID_MAX]);

/*
 * May this runtime load such a file? False, or true with the reason in `ret`:
 * "compressed bundles need ROCm 6.2 or newer". 0 and empty are not known.
 */
bool runs_refusal(unsigned int ccob_version, unsigned int cov, struct span hip, struct span comgr,
		  char *ret, size_t size);

const char *runs_name(enum runs r); /* "exact", "generic", "spirv"; NULL for RUNS_NOT */

/*
 * Dotted numbers, "2.4.1+rocm6.1" against "2.5": -1, 0 or 1 in *ret. What
 * follows the numbers is not looked at; missing numbers are zero. False if one
 * does not begin with a digit.
 */
bool version_cmp(struct span a, struct span b, int *ret);

/* Is data/loader.tsv sound? NULL, or the first line that is not. */
const char *runs_table_fault(void);

extern const char data_loader[];
