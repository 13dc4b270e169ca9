#pragma once

/*
 * rocm-library - is a file a library of ROCm, by its name?
 *
 * "librocblas.so.4.2" is one, "libc.so.6" is none; data/libraries.txt has the names.
 */

#include "base/span.h"

bool rocm_library(struct span name);
