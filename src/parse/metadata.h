#pragma once

/*
 * metadata - METADATA and PKG-INFO of a Python package
 *
 *	Metadata-Version: 2.1
 *	Name: torchaudio
 *	Version: 2.4.1+rocm6.1
 *	Requires-Dist: torch (==2.4.1)
 *
 * Headers as in mail: a line that begins with a blank goes on with the one
 * before, names are spelled in any case, and the first empty line ends them
 * (the description follows, which may be long and is nobody's business). A
 * continued value is handed out up to its first line's end.
 */

#include "base/span.h"

/* One header after the other. Start with the whole text in *rest. */
bool metadata_next(struct span *rest, struct span *ret_name, struct span *ret_value);

/* The first header of that name. */
bool metadata_find(struct span text, const char *name, struct span *ret_value);
bool metadata_is(struct span name, const char *wanted);

/*
 * requires.txt of an egg: a requirement a line, until a section "[extra]"
 * begins, whose lines hold only for who asked for it.
 *
 *	typing_extensions
 *
 *	[opt-einsum]
 *	opt-einsum>=3.3
 *
 * A section may carry a condition alone, "[:python_version < "3.8"]"; its lines
 * are left out too.
 */
bool metadata_egg_requirement(struct span *rest, struct span *ret);
