#pragma once

/*
 * window - the part of a log that is in memory
 *
 * New bytes are read behind the text that is not yet done with; before it stay
 * the last SCAN_TAIL bytes that were. UTF-16 becomes UTF-8 here, so that nobody
 * behind it needs to know.
 */

#include "scan/scan.h"
#include "scan/utf16.h"

#define WINDOW_ROOM ((size_t)256 << 10) /* for a reading */

struct window {
	char *room, *data;        /* what was read last, and in it the text not yet done with */
	size_t len, cap;          /* of that text, and of the room */
	char head[SCAN_TEXT_MAX]; /* of the line that goes on at the room's beginning */
	size_t head_len;          /* 0: a line begins there */
	struct utf16 utf16;
	bool told; /* whether it is UTF-16 */
	struct buf decoded;
};

void window_done(struct window *w);
void window_again(struct window *w); /* for another text */

/* WINDOW_ROOM bytes to read into; then say how much came. */
char *window_room(struct window *w);
void window_added(struct window *w, size_t n);

/* No more will come: few bytes are enough to tell what they are written in. */
void window_end(struct window *w);

/* Done with the first n bytes of the text. */
void window_drop(struct window *w, size_t n);

/* Returns the kept tail of the text that was done with, which ends in this line. */
void window_tail(const struct window *w, uint64_t last_line, struct scan_tail *ret);
