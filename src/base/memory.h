#pragma once

/*
 * memory - the end of a program that has none left
 *
 * A message and the status of our own fault, never a core dump: an allocation
 * that fails is no mistake that a dump would show.
 */

#include <stddef.h>

/* Whether a limit of memory makes sense: the shadow of a sanitizer has terabytes. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define MEMORY_HAS_LIMITS 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define MEMORY_HAS_LIMITS 0
#endif
#endif
#ifndef MEMORY_HAS_LIMITS
#define MEMORY_HAS_LIMITS 1
#endif

__attribute__((noreturn)) void memory_out(void);

/* Zeroes, ended by free(); never NULL. */
void *memory_new(size_t count, size_t size);

void memory_ends_with(int status); /* `run` has another number for its own faults */

/* Runs before memory_out() ends us; it need not return, and gets no memory. NULL: nothing. */
void memory_instead(void (*act)(void *ctx), void *ctx);
