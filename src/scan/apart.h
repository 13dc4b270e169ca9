#pragma once

/*
 * apart - the few lines of a log that begin unlike all its other lines
 *
 * A program begins its lines alike: with a clock, a level, its name. What a person writes above,
 * between or below them begins like nothing else. Lines are compared by their first bytes, in
 * which a digit is like any other; a text with too many beginnings is not the log of one program,
 * and none of its lines stands apart. Only the beginning of a text is looked at.
 */

#include "base/buf.h"
#include "base/span.h"

#define APART_BYTES  ((size_t)8 << 20) /* of the text */
#define APART_SHAPES 256
#define APART_SAME   3  /* so many lines that begin alike may still stand apart */
#define APART_LINES  40 /* more of them are a second log */

struct apart_line {
	uint64_t line; /* from 1 */
	struct span text;
};

struct apart {
	struct apart_shape {
		uint64_t head;
		size_t count;
	} shapes[APART_SHAPES];
	size_t shape_count, last; /* the shape of the line before */
	struct {
		uint64_t line;
		size_t shape, at, len;
	} kept[APART_SHAPES * APART_SAME];
	size_t kept_count;
	struct buf text; /* of the lines that are kept */
	bool is_over;    /* too many beginnings */
};

/* Whole lines, of which the first has this number. */
void apart_take(struct apart *a, struct span lines, uint64_t number);

/* The lines that stand apart, in their order; 0 if there are more than APART_LINES. */
size_t apart_lines(const struct apart *a, struct apart_line ret[APART_LINES]);

void apart_again(struct apart *a);
void apart_done(struct apart *a);
