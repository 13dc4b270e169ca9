#pragma once

/*
 * memory - the end of a program that has none left
 *
 * A message and the status of our own fault, never a core dump: an allocation
 * that fails is no mistake that a dump would show.
 */

__attribute__((noreturn)) void memory_out(void);

void memory_ends_with(int status); /* `run` has another number for its own faults */

/* What is done in place of that; it need not return, and gets no memory. NULL: nothing. */
void memory_instead(void (*act)(void *ctx), void *ctx);
