#pragma once

/*
 * utf16 - text that PowerShell wrote with `>`
 *
 * Told by its byte order mark, or by every second byte being zero. Made UTF-8
 * as it streams by; half a pair is kept for the next piece, and what is no
 * pair becomes U+FFFD.
 */

#include "base/buf.h"

#define UTF16_TELLING 64 /* so many first bytes are enough to tell, if there are so many */

struct utf16 {
	char order; /* 'l' or 'b'; 0: it is none */
	unsigned char half;
	bool has_half;
	uint16_t high; /* the first of a surrogate pair, or 0 */
};

void utf16_begin(struct utf16 *u, struct span first);
void utf16_decode(struct utf16 *u, struct span bytes, struct buf *ret);
