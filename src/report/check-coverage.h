#pragma once

/*
 * check-coverage - which library has code for which GPU
 *
 * Of each framework the libraries with device code that it would load, and the
 * kernels of its rocBLAS, against every kind of GPU of the machine.
 */

#include "base/arena.h"
#include "facts/facts.h"

#define COVERAGE_DEVICES 16

enum coverage_cell { COVERAGE_NONE, COVERAGE_PART, COVERAGE_FULL, COVERAGE_UNKNOWN };

struct coverage_row {
	const char *framework;   /* "torch 2.9.1+rocm6.4" */
	const char *environment; /* prefix */
	const char *name;        /* of the library */
	bool main;               /* holds the framework's own kernels */
	enum coverage_cell cells[COVERAGE_DEVICES];
	int64_t in[COVERAGE_DEVICES], of[COVERAGE_DEVICES]; /* bundles, of a part */
};

struct coverage {
	struct arena arena;
	const char *devices[COVERAGE_DEVICES]; /* gfx942:sramecc+:xnack- */
	bool meant[COVERAGE_DEVICES];          /* programs are meant for such a device */
	size_t device_count;
	struct coverage_row *rows; /* a framework's together */
	size_t row_count;
};

void coverage_read(struct facts *f, struct coverage *ret);
void coverage_done(struct coverage *c);

const char *coverage_word(enum coverage_cell cell); /* "code", "partly", "no code", "not known" */
