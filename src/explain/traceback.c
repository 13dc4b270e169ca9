#include "explain/traceback.h"

#include <ctype.h>
#include <string.h>

#include "explain/origin.h"

#define LINE_NUMBER_MAX 100000000

/* File "/home/u/train.py", line 41, in main */
static void take_frame(struct traceback *t, struct span line, struct marks *origins,
		       struct arena *arena)
{
	static const char before[] = "File \"", after[] = ", line ";
	size_t at = span_find(line, span_of(before));
	struct span path;
	unsigned long number = 0;

	if (at == SIZE_MAX)
		return;
	line = (struct span){ line.data + at + strlen(before), line.len - at - strlen(before) };
	if (!span_cut(&line, '"', &path) || !span_starts(line, after))
		return;
	for (size_t i = strlen(after); i < line.len && isdigit((unsigned char)line.data[i]); i++)
		if (number < LINE_NUMBER_MAX)
			number = number * 10 + (unsigned long)(line.data[i] - '0');
	if (t->frame.len > 0 && origin_is_python(origins, path))
		return;
	t->frame = arena_span(arena, path);
	t->frame_line = number;
}

bool traceback_take(struct traceback *t, struct span line, uint64_t number, struct marks *origins,
		    struct arena *arena)
{
	size_t at = span_find(line, SPAN_LITERAL("Traceback (most recent call last)"));

	if (at != SIZE_MAX) {
		*t = (struct traceback){ .is_open = true, .column = at, .begins = number };
		return false;
	}
	if (!t->is_open || line.len <= t->column)
		return false;
	if (line.data[t->column] && strchr(" \t|+", line.data[t->column])) {
		take_frame(t, line, origins, arena);
		return false;
	}
	t->is_open = false;
	return t->frame.len > 0;
}
