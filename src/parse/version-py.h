#pragma once

/*
 * version-py - what a generated version file of a Python package assigns
 *
 *	__version__ = '2.6.0+rocm6.2.4'
 *	hip: Optional[str] = '6.2.41134-65d174c3e'
 *	cuda = None
 *	__version__ = version = "0.6.3.post1"
 *
 * Lines of a module's own level that assign one literal; anything else is
 * skipped, nothing is run. torch, vllm, onnxruntime, jaxlib and others have
 * such a file. Values are handed out as written, without their quotes.
 */

#include "base/span.h"

struct version_py {
	struct span name;  /* the first one of `a = b = literal` */
	struct span value; /* inside the quotes, or the bare word: None, True, 12 */
	bool quoted;       /* it stands in quotes */
	struct span other; /* the second name of `a = b = literal`, or empty */
};

bool version_py_next(struct span *rest, struct version_py *ret);

/* The last assignment to a name counts, as in Python. */
bool version_py_find(struct span text, const char *name, struct version_py *ret);

/*
 * A value by its key in any dictionary or list of pairs of the text, as
 * TensorFlow's build_info.py has them:
 *
 *	build_info = collections.OrderedDict([('is_rocm_build', True), ...
 *	"is_cuda_build": False,
 *
 * A literal only; the first one counts.
 */
bool version_py_pair(struct span text, const char *key, struct span *ret_value);
