#pragma once

/*
 * beacon - what the recording child is doing, for a parent that must not wait
 *
 * A page and a stretch of memory shared by both. The child names a path before
 * it touches it and appends its records after it; the parent looks at the clock.
 * There is no system call per path, and nothing is lost when the child hangs
 * or dies: what it had recorded is already here.
 */

#include <stdatomic.h>

#include "base/span.h"

struct beacon {
	_Atomic uint64_t since_ms; /* when the last step was begun; 0: between two questions */
	_Atomic size_t recorded;   /* bytes of text after this page */
	_Atomic bool full;         /* no room: what came later was not asked */
	_Atomic int kind;          /* the record that is being made ... */
	char path[1536];           /* ... and its path or question */
	char step[1536];           /* what is being touched for it right now */
};

struct beacon *beacon_new(void); /* NULL if the kernel refuses */
struct beacon *beacon_free(struct beacon *b);

/* A question begins, goes on to another file, ends. Each step has the whole deadline.
 * Without a beacon (NULL) a step is told to nobody: a thread that may be lost needs none. */
void beacon_begin(struct beacon *b, int kind, const char *path);
void beacon_step(struct beacon *b, const char *path);
void beacon_again(struct beacon *b); /* the same file, the next read of it */
void beacon_end(struct beacon *b);

/* False, and marked full, if the record does not fit any more. */
bool beacon_append(struct beacon *b, struct span record, struct span *ret_kept);
struct span beacon_text(struct beacon *b);

uint64_t beacon_now_ms(void);

/*
 * Whether our own work has gone on beyond that time. What we waited for a
 * processor does not count: a busy host is not a slow disk.
 */
bool beacon_past(uint64_t until_ms);
