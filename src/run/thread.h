#pragma once

/*
 * thread - one that waits most of its time, with a small stack
 */

#include <pthread.h>
#include <stddef.h>

#define THREAD_STACK ((size_t)64 << 10) /* enough for one that only reads and writes */

/* 0 or -errno. Joined or detached by the caller. */
int thread_start(pthread_t *ret, size_t stack, void *(*work)(void *), void *arg);
