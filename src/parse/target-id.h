#pragma once

/*
 * target-id - names of what device code was built for
 *
 * A target id is a processor and what the code demands of two features:
 * "gfx90a:sramecc+:xnack-". A feature that is not named is left open. The
 * entries of a bundle put a kind and a triple before it:
 * "hipv4-amdgcn-amd-amdhsa--gfx90a:xnack-".
 */

#include "base/span.h"

#define TARGET_ID_MAX 64 /* with the NUL; the longest known has 27 characters */

enum target_feature {
	TARGET_ANY, /* not stated */
	TARGET_OFF,
	TARGET_ON,
};

struct target_id {
	struct span processor; /* gfx90a, gfx9-4-generic, amdgcnspirv */
	enum target_feature sramecc, xnack;
};

/*
 * False for what no compiler writes: an unknown or repeated feature, a sign
 * that is missing, characters that belong to no name, one that is too long.
 */
bool target_id_parse(struct span text, struct target_id *ret);

/* In the order that compilers use: sramecc, then xnack. */
void target_id_write(const struct target_id *id, char ret[static TARGET_ID_MAX]);

struct target_entry {
	struct span kind;   /* host, hip, hipv4, hcc, openmp */
	struct span target; /* empty for a host */
};

/* The id of a bundle's entry. Total: what is missing is empty. */
struct target_entry target_entry_parse(struct span id);

/* Is it code for a GPU that ROCm's loaders may take: of HIP, HCC or OpenMP? */
bool target_entry_is_device(const struct target_entry *entry);

/* Known, and none of ours: the host, or SYCL. What is neither is a mistake. */
bool target_entry_is_foreign(const struct target_entry *entry);
