#pragma once

/*
 * python-packages - which Python packages matter, and what tells their build
 *
 * The table data/python-packages.txt, whose head says what its words mean. The
 * door reads it to know what to look for in a directory of packages, and the
 * collector to know what the answer means.
 */

#include "base/span.h"

enum python_package_role {
	PYTHON_FRAMEWORK,
	PYTHON_PART,
	PYTHON_COMPANION,
	PYTHON_RUNTIME,
};

struct python_package {
	struct span pattern;
	enum python_package_role role;
	struct span framework; /* "-": none */
	struct span traits;    /* "dir=torch file=torch/version.py ..." */
};

/* One line after the other; start with an empty *rest set to python_packages(). */
struct span python_packages(void);
bool python_packages_next(struct span *rest, struct python_package *ret);

/* The first line that fits a normalised name. */
bool python_packages_find(struct span name, struct python_package *ret);

/* The values of a trait, in their order: start with *rest = p->traits. */
bool python_package_trait(struct span *rest, const char *trait, struct span *ret_value);

/* Does a file name fit the pattern of a trait? `@` fits digits too. */
bool python_package_fits(struct span pattern, struct span name);

/* Does it fit any pattern of that trait? */
bool python_package_has(const struct python_package *p, const char *trait, struct span name);
