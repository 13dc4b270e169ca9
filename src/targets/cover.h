#pragma once

/*
 * cover - does a file, or a directory of kernels, have code for a GPU?
 *
 * A library covers a GPU if every one of its bundles holds code that runs
 * there: each is a source file of its own, and the kernels of one that does
 * not are missed at run time, maybe hours in. What could not be read is
 * neither covered nor lacking: it is not known.
 */

#include "code/code.h"
#include "code/kernels.h"
#include "code/runs.h"

/* In the order in which they spoil a sum. */
enum cover {
	COVER_ALL,      /* code that runs, in every bundle */
	COVER_FALLBACK, /* code that runs and is not tuned */
	COVER_SLOWER,   /* nothing, and it works without: a database or a cache */
	COVER_UNKNOWN,  /* what could not be read may hold it */
	COVER_PART,     /* in some of the bundles */
	COVER_NONE,
	COVER_VERDICTS,
};

struct cover_cell {
	enum cover cover;
	enum runs how;       /* the best way in which some of it runs */
	unsigned int in, of; /* bundles, or files */
};

/*
 * `here` is false if what a library refers to may lie elsewhere (a wheel whose
 * kernels come in another wheel): an archive that is missing is then unknown.
 */
struct cover_cell cover_code(const struct code *code, struct span device, bool here);
struct cover_cell cover_kernels(const struct kernels *kernels, struct span device);

/* Nothing is required: how much of it names this very target. */
struct cover_cell cover_listed(const struct code *code, const struct kernels *kernels,
			       const char *target);

/*
 * Problems that may hide code. An archive that is missing, or holds nothing for
 * the library, is a problem, too, and hides none.
 */
size_t cover_hiding(const struct code *code);

bool cover_is_enough(enum cover cover); /* all, fallback or slower */

const char *
cover_name(enum cover cover); /* "all", "fallback", "slower", "unknown", "part", "none" */

/*
 * The order in which people list targets: gfx90a before gfx1030 before
 * gfx1100, generic ones after their family, SPIR-V last.
 */
int cover_order(const char *a, const char *b);
