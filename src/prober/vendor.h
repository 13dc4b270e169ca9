#pragma once

/*
 * vendor - the vendor's libraries, loaded as the framework would load them
 *
 * A library is the file that --lib gave, else one that another library has
 * already brought along, else the first of its usual names. Two HIP runtimes in
 * one process would not know each other's memory: so given files are loaded from
 * the bottom up, where a library above takes what is there, and the others from
 * the top down, where it brings what it wants.
 */

#include <stdbool.h>
#include <stddef.h>

#include "prober/wire.h"

enum vendor_library {
	VENDOR_HSA,
	VENDOR_HIP,
	VENDOR_HIPRTC,
	VENDOR_ROCBLAS,
	VENDOR_HIPBLAS,
	VENDOR_HIPBLASLT,
	VENDOR_MIOPEN,
	VENDOR_RCCL,
	VENDOR_COUNT,
};

/* From NAME=PATH; false if there is no such library. */
bool vendor_give(const char *assignment);

/* HIP, what it rests on if that was given, and the one above it (or HIP itself). */
void vendor_load(enum vendor_library top);
void vendor_load_hsa(void);

/* Fills a struct of nothing but function pointers: one for each name, NULL if it is not there. */
void vendor_fill(enum vendor_library library, const char *const *names, void *ret_pointers);

/* Says the call, or ends with `missing`. */
void vendor_begin(const char *name, bool there);

/* For the lists of calls in abi-*.h. */
#define VENDOR_POINTER(type, name, arguments) type(*name) arguments;
#define VENDOR_NAME(type, name, arguments)    #name,

/* The arguments are worked out after the call was said: no call may stand among them. */
#define VENDOR_CALL(table, name, ...) \
	(vendor_begin(#name, (table).name != NULL), (table).name(__VA_ARGS__))
#define VENDOR_CALL_PLAIN(table, name) (vendor_begin(#name, (table).name != NULL), (table).name())
