#pragma once

/*
 * progress-text - a line of output as a person sees it, and the numbers in it
 *
 * Escape sequences and what is overwritten are gone; a character outside ASCII
 * is one PROGRESS_SIGN, since bars are drawn with them. Texts end with a NUL.
 * What finds a number answers where it ends, or NULL.
 */

#include "base/span.h"

#define PROGRESS_TEXT 1024 /* of a line; the rest is not looked at */
#define PROGRESS_SIGN '~'

void progress_flatten(struct span line, char text[PROGRESS_TEXT + 1]);

bool progress_is_word(char c);
const char *progress_blanks(const char *s);

/* At most 15 digits; "1.5", "3d" and "45%" are none. */
const char *progress_whole(const char *s, long *ret);

/* Also "nan" and "inf". */
const char *progress_decimal(const char *s, double *ret);

/* "10/ 500", "1 of 3"; not a date, nor more than there is. */
const char *progress_fraction(const char *s, long *ret_of, long *ret_all);

/* The start of the number that ends before `end`. */
const char *progress_number_before(const char *text, const char *end, double *ret);

/* The next place after `from` where the word stands alone. */
const char *progress_find_word(const char *text, const char *from, const char *word);
