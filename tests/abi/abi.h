/*
 * abi.h - a list of src/prober/abi-*.h held against the vendor's own header
 *
 * A file that includes it compiles only if they agree: a number, an offset or a
 * size that differs fails an assertion, and a prototype that does is a second
 * declaration of the same function with another type.
 */
#pragma once

#include <assert.h>
#include <stddef.h>

#ifdef __cplusplus
#define ABI_CALL(type, name, arguments) extern "C" type name arguments;
#else
#define ABI_CALL(type, name, arguments) extern type name arguments;
#endif
#define ABI_NUMBER(name, value)          static_assert((name) == (value), #name);
#define ABI_LAYOUT(type, member, offset) static_assert(offsetof(type, member) == (offset), #type);
#define ABI_SIZE(type, size)             static_assert(sizeof(type) == (size), #type);
