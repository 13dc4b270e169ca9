#pragma once

/*
 * kpack - device code that lies in archives beside the library
 *
 * A library that was split for kpack has no bundles. Its section
 * .rocm_kpack_ref says what it is called in the archives and where they are
 * looked for, relative to its directory: "../.kpack/blas_lib_@GFXARCH@.kpack".
 * The runtime fills in the GPU it has; we have none, so we list the directory
 * and read every archive whose name fits.
 *
 * Both functions add to what *ret holds already (targets, problems, bundles)
 * and cannot fail: what is wrong becomes a problem.
 */

#include "code/code.h"

/*
 * `ref` is the section's content. Fills kpack_name, archives, bundles (code
 * objects of this library over all archives), forms[CODE_KPACKED] and targets.
 * Without an opener, or with one that cannot list, the search paths are named
 * as archives that were not found.
 */
void code_kpack(struct span ref, const struct code_opener *opener, struct arena *arena,
		struct code *ret);

/* A .kpack file by itself: every target of every library in it. Sets the kind. */
void code_kpack_archive(struct source *s, struct arena *arena, struct code *ret);
