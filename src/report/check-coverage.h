#pragma once

/*
 * check-coverage - which library has code for which GPU
 *
 * Of each framework the libraries with device code that it would load, and the
 * kernels of its rocBLAS, against every kind of GPU of the machine.
 */

#include "base/arena.h"
#include "facts/facts.h"

enum coverage_cell { COVERAGE_NONE, COVERAGE_PART, COVERAGE_FULL, COVERAGE_UNKNOWN };

struct coverage_row {
	const char *framework;   /* "torch 2.9.1+rocm6.4" */
	const char *environment; /* prefix */
	const char *name;        /* of the library */
	bool main;               /* holds the framework's own kernels */
	struct coverage_at {
		enum coverage_cell cell;
		int64_t in, of; /* bundles, of a part */
	} * at;                 /* each device */
};

struct coverage {
	struct arena arena;
	struct coverage_device {
		const char *name; /* gfx942:sramecc+:xnack- */
		bool meant;       /* programs are meant for such a device */
	} * devices;
	size_t device_count;
	struct coverage_row *rows; /* a framework's together */
	size_t row_count;
};

void coverage_read(struct facts *f, struct coverage *ret);
void coverage_done(struct coverage *c);

const char *coverage_word(enum coverage_cell cell); /* "code", "partly", "no code", "not known" */
