#pragma once

/*
 * kernel-directories - which directories hold device code, and where they stand
 *
 * One table, data/kernel-directories.txt, for all that look for them: in an
 * install, beside an application, in a Python package, in whatever `targets` is
 * shown. What is in a directory of each kind is code/kernels.h.
 */

#include "base/span.h"

struct kernel_directory {
	struct span ending; /* of its path: "rocblas/library"; a part * is any one directory */
	struct span
		inside; /* "/rocblas/library/", which the path of each file has; not if versioned */
	struct span kind; /* "rocblas" */
	bool versioned;   /* one part of the ending is * */
	enum {
		KERNEL_DIRECTORY_ANYWHERE, /* looked for nowhere */
		KERNEL_DIRECTORY_LIB,      /* beside the libraries */
		KERNEL_DIRECTORY_SHARE,    /* below share/, which is beside lib/ */
	} place;
};

/* The rows in the order of the table. */
const struct kernel_directory *kernel_directories(size_t *ret_count);

/* The row whose ending the path has, or NULL. */
const struct kernel_directory *kernel_directory_of(struct span path);
