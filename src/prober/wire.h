#pragma once

/*
 * wire - what the prober says to its parent: lines on descriptor 3
 *
 * Each line is one write(), so that a process that dies says whole lines. A
 * control character in a text becomes \xNN. The last line is the ending: the
 * functions that write one do not return, and leave without the vendor's exit
 * handlers, which have nothing to do with the question.
 */

#include <stdint.h>

#define WIRE_DESCRIPTOR 3

/* The prober's own mistake or its caller's: words on standard error, EXIT_USAGE. */
_Noreturn void wire_usage(const char *format, ...) __attribute__((format(printf, 1, 2)));

void wire_file(const char *path);
void wire_call(const char *name);
void wire_value(const char *name, const char *format, ...) __attribute__((format(printf, 2, 3)));

_Noreturn void wire_answered(void);
_Noreturn void wire_refused(long status);
_Noreturn void wire_wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));
_Noreturn void wire_missing(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Ends with `refused` unless the status is 0, which is success with every vendor library. */
void wire_accept(long status);

/* Writes raw bytes, as they are: for the handler of a crash. */
void wire_raw(const char *bytes, unsigned long size);
