#pragma once

/*
 * abi - how the lists of abi-*.h are read
 *
 * Each abi-*.h states by hand what we use of one vendor library: types, numbers
 * and calls, under the vendor's names, so that no vendor header is needed to
 * build. With ABI_OF_VENDOR the types and numbers come from the vendor's own
 * header instead, and the lists are held against it (tests/abi): a number that
 * differs or a prototype that does is then an error of the compiler.
 */

#include <stddef.h>

/* NUMBER(name, value) */
#define ABI_ENUMERATE(name, value) name = value,
