#pragma once

/*
 * say - words to the person who typed the command
 *
 * stdout is the answer, stderr is about the answer. A message says what was
 * tried, what happened and what to do next, on one line each.
 */

#include "base/buf.h"
#include "base/did-you-mean.h"
#include "base/exit-status.h"

/* errno is left as it was. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
void say_lines(const struct buf *text); /* each of them */
void say_bare(struct span lines);       /* without our name in front, as compilers do */

/* Says what is wrong and where help is; returns EXIT_USAGE. */
int say_usage(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints the command to get help; returns EXIT_USAGE. */
int say_where(const char *command);

/* 0, or EXIT_OWN_FAULT after saying that our own tables could not be read. */
int say_unread_tables(void);

/* There is no such thing; the word that may have been meant, or else what to do. EXIT_USAGE. */
int say_no(const char *command, const char *what, const struct did_you_mean *n,
	   const char *otherwise);

/* Whether -o names this file, which then must not be written to; and saying so. */
bool say_is_output(const char *output, const char *path);
int say_overwritten(const char *command, const char *output);

/*
 * That a file was not written: `error` is -errno, `why` may be empty. EXIT_USAGE
 * if its directory does not exist, else EXIT_OWN_FAULT.
 */
int say_unwritten(const char *output, int error, const struct buf *why);

/* Write the answer to a file or, with NULL or "-", to stdout. 0, or as say_unwritten(). */
int say_answer(const char *output, struct span text);

/* The same for what a runner of GitHub Actions is to obey: each line is made by us, and escaped. */
int say_commands(const char *output, struct span text);

/* The same for what is no text. */
int say_bytes(const char *output, struct span bytes);

/* Columns of the terminal on stdout, 0 if it is none. */
size_t say_width(void);
