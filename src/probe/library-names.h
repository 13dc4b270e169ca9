#pragma once

/*
 * library-names - what the prober calls a library, and what its file is called
 * between lib and .so
 */

struct library_name {
	const char *name; /* "hip" */
	const char *file; /* "amdhip64" */
};

#define LIBRARY_NAMES 8

extern const struct library_name library_names[LIBRARY_NAMES];
