#pragma once

/*
 * tensile - the indexes of rocBLAS, hipBLASLt and hipSPARSELt
 *
 * TensileLibrary_lazy_gfx1151.dat, MessagePack: {solutions: [], library:
 * {type: "Hardware", rows: [{predicate, library}, ...]}}. A row's predicate
 * names a processor ({type: "AMDGPU", value: {type: "Processor", value:
 * "gfx1151"}}, also inside an "And") or is {type: "TruePred"}: for any. Deep
 * in its library stand the parts, {type: "Placeholder", value:
 * "TensileLibrary_Type_HH_..._gfx1151"}: names of files to be loaded when they
 * are needed. Rows for a processor are tuned, the row for any is slow code
 * that runs everywhere. Seen in Debian's rocBLAS 6.4.4 and 7.2.4, hipBLASLt
 * 7.1.1 and hipSPARSELt 7.2.4.
 */

#include "base/source.h"

#define TENSILE_INDEX_MAX (4u << 20) /* bytes; the largest seen has 109,312 */

struct tensile_visitor {
	/* A part by its name; the processor is empty in a row for any. */
	void (*part)(void *of, struct span part, struct span processor);
	void *of;
};

struct tensile_index {
	unsigned int rows;
	unsigned int tuned_rows; /* for a processor */
	unsigned int parts;
};

/*
 * Spans of a visit are good for the call. 0; -EBADMSG: no such index;
 * -ENODATA: cut off; -EFBIG: longer than TENSILE_INDEX_MAX; -errno.
 */
int tensile_index_read(struct source *s, const struct tensile_visitor *v,
		       struct tensile_index *ret);

/* hipblasltExtOpLibrary.dat: a map whose keys are the processors it has operations for. */
int tensile_extop_read(struct source *s, void (*processor)(void *of, struct span name), void *of);
