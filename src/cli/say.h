#pragma once

/*
 * say - words to the person who typed the command
 *
 * stdout is the answer, stderr is about the answer. A message says what was
 * tried, what happened and what to do next, on one line each.
 */

#include "base/buf.h"
#include "base/near.h"

enum {
	EXIT_UNDECIDED = 3,
	EXIT_USAGE = 64,
	EXIT_OWN_FAULT = 70,
};

void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Says what is wrong and where help is; returns EXIT_USAGE. */
int say_usage(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Where help is; returns EXIT_USAGE. */
int say_where(const char *command);

/* There is no such thing; the word that may have been meant, or else what to do. EXIT_USAGE. */
int say_no(const char *command, const char *what, const struct near *n, const char *otherwise);

/* Write the answer to a file or, with NULL or "-", to stdout. 0 or EXIT_OWN_FAULT. */
int say_answer(const char *output, struct span text);

/* Columns of the terminal on stdout, 0 if it is none. */
size_t say_width(void);
