#pragma once

/*
 * python-site - the answer to "packages SITE-PACKAGES" as structs
 *
 * And what follows from one package alone: its version, what it was built for,
 * which library holds its kernels. Pure: the answer may come from a snapshot
 * of strangers. docs/design/0007-device-code.md has the grammar.
 */

#include "base/arena.h"
#include "survey/python-packages.h"

/* Limits of one site and of one list: the rest is left out, and a problem. */
#define PYTHON_SITE_PACKAGES_MAX 160
#define PYTHON_TEXTS_MAX         1024

enum python_build {
	PYTHON_BUILD_UNKNOWN,
	PYTHON_BUILD_CPU,
	PYTHON_BUILD_CUDA,
	PYTHON_BUILD_ROCM, /* the highest: what there is code for, if for several */
};

struct python_text {
	struct span text;
	struct python_text *next;
};

struct python_texts {
	struct python_text *first, *last;
	unsigned int count;
};

struct python_site_package {
	const char *name; /* normalised */
	struct python_package row;
	struct span version;           /* of its metadata; empty if it has none */
	struct span info;              /* torch-2.4.1.dist-info; empty if it has none */
	struct span editable;          /* where its sources are; empty: installed */
	struct span from;              /* the address it was installed from, or empty */
	struct python_texts builds;    /* "hip 6.1.40091-a8dbc0c19" */
	struct python_texts requires;  /* "torch==2.4.1; python_version < '3.13'" */
	struct python_texts libraries; /* relative to the site */
	struct python_texts kernels;   /* directories, likewise */
	struct python_texts reals;     /* "torch/lib/x.so /usr/lib/x.so.2": links among them */
	struct python_texts missing;   /* those that RECORD names and that are not there */
};

struct python_site {
	struct python_site_package *packages;
	size_t count;
	bool cut;                /* told as a problem */
	struct span home;        /* of the Python a venv was made with; empty: no venv */
	bool system_site;        /* a venv that sees that Python's packages too */
	bool conda;              /* there are conda's own records */
	struct span torch_build; /* conda's build of pytorch: "py311_rocm6.1", or empty */
	struct python_texts problems;
};

/* Spans point into the text; lists and names live in the arena. */
void python_site_parse(struct span text, struct arena *arena, struct python_site *ret);

struct python_site_package *python_site_find(struct python_site *site, struct span name);

/* A value of its version file; false also for None, null, False and an empty one. */
bool python_package_build(const struct python_site_package *p, const char *key, struct span *ret);

/* The version in its version file, else in its metadata: 2.4.1+rocm6.1. May be empty. */
struct span python_package_version(const struct python_site_package *p);

/* After the plus sign, or empty. */
struct span python_version_tag(struct span version);

/* Judges by the name of the package alone. */
enum python_build python_package_named_for(const struct python_site_package *p);

enum python_build python_package_built_for(const struct python_site_package *p);
const char *python_build_name(enum python_build build); /* NULL for unknown */

/* HIP or CUDA it was built with, or empty. */
struct span python_package_hip(const struct python_site_package *p);
struct span python_package_cuda(const struct python_site_package *p);

/*
 * The library with its kernels for that build, relative to the site; empty if
 * none is named. Of several the one for `hip` ("6.4.43483": rocm64).
 */
struct span python_package_main(const struct python_site_package *p, enum python_build build,
				struct span hip);
