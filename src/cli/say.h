#pragma once

/*
 * say - words to the person who typed the command
 *
 * stdout is the answer, stderr is about the answer. A message says what was
 * tried, what happened and what to do next, on one line each.
 */

#include "base/buf.h"

enum {
	EXIT_UNDECIDED = 3,
	EXIT_USAGE = 64,
	EXIT_OWN_FAULT = 70,
};

void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Says what is wrong and where help is; returns EXIT_USAGE. */
int say_usage(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Write the answer to a file or, with NULL or "-", to stdout. 0 or EXIT_OWN_FAULT. */
int say_answer(const char *output, struct span text);

/* Columns of the terminal on stdout, 0 if it is none. */
size_t say_width(void);

/* Letters that must be changed, added or dropped to make b of a, for "did you mean". */
size_t say_distance(const char *a, const char *b);
