#pragma once

/*
 * glyph - one character, however it is spelled
 *
 * Journals, JSON, HTML and command lines write the same quote as ", \", \x22,
 * \u0022, \042, &quot; and &#34;, and people paste blanks and signs that only
 * look like those of ASCII: U+00A0, U+FF1A. What has no width (U+200B, a soft
 * hyphen) is a glyph too, that stands for nothing.
 */

#include "base/span.h"

#define GLYPH_NOTHING '\0'
#define GLYPH_OTHER   '\1' /* a character that ASCII does not have */

/* Whether a byte stands for itself wherever it is. */
static inline bool glyph_is_plain(char c)
{
	return c != '\\' && c != '&' && (unsigned char)c < 0x80;
}

/* The bytes of the character at a place, at least 1 before the end, and what it stands for. */
size_t glyph_at(struct span text, size_t at, char *ret);

/* The bytes of the character that ends at a place, 0 at the start of the text. */
size_t glyph_before(struct span text, size_t end, char *ret);

/* The text with every glyph replaced by what it stands for, at most `room` bytes of it. */
size_t glyph_fold(struct span text, char *ret, size_t room);

/* The start of the character of which the escape at a place is one byte: \xe2\x80\x8b. */
size_t glyph_around(struct span text, size_t at);
