#pragma once

/*
 * printable - how the table of what software can print is made
 *
 * It holds no text of anybody's, but digests. A text is found by the 40 bits
 * of its first 16 bytes, which are the upper ones of the key, and held against
 * the 23 bits of the whole below them.
 *
 * A short text of words that everybody uses ("Failed to free GPU memory") is a
 * sign only where it begins what is said; PRINTABLE_ALONE marks it.
 */

#define PRINTABLE_MIN   16 /* bytes: by less a text is nobody's */
#define PRINTABLE_MAX   96
#define PRINTABLE_ALONE 128 /* added to its length */
#define PRINTABLE_START 40  /* bits for its beginning */
#define PRINTABLE_WHOLE 23  /* and for all of it */
#define PRINTABLE_SHIFT "23"
#define PRINTABLE_ALIKE \
	"128" /* texts with the same beginning: a stranger's table could have any number */
