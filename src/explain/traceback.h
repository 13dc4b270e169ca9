#pragma once

/*
 * traceback - where in a program a Python exception was raised
 *
 * Lines of one stream are given one by one. Frames are indented by more than
 * the line that begins the traceback, whatever a logger writes before it; the
 * first line that is not names the exception and ends it.
 */

#include "base/arena.h"
#include "base/span.h"

struct marks;

struct traceback {
	bool is_open;
	size_t column;   /* in which its first line begins */
	uint64_t begins; /* the number of that line; 0: there was none */
	struct span frame;
	unsigned long frame_line; /* of the last frame outside of Python's own library */
	struct span wait;         /* in which function it waits for a GPU or other ranks */
};

/* Whether the line is the one that names the exception. */
bool traceback_take(struct traceback *t, struct span line, uint64_t number, struct marks *origins,
		    struct arena *arena);
