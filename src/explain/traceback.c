#include "explain/traceback.h"

#include <ctype.h>
#include <string.h>

#include "explain/origin.h"

extern const char data_python_waits[];

#define LINE_NUMBER_MAX 100000000

/* The end of the path as the list has it, if the function waits. */
static bool find_wait(struct span path, struct span function, struct span *ret_end)
{
	struct span rest = span_of(data_python_waits), line, end;

	while (span_line(&rest, &line))
		if (!span_starts(line, "#") && span_cut(&line, ' ', &end) && path.len >= end.len &&
		    memcmp(path.data + path.len - end.len, end.data, end.len) == 0 &&
		    (span_is(line, "*") || span_same(line, function))) {
			*ret_end = end;
			return true;
		}
	return false;
}

/* , line 985, in synchronize */
static void take_wait(struct traceback *t, struct span path, struct span after, struct arena *arena)
{
	size_t at = span_find(after, SPAN_LITERAL(", in "));
	struct span function, end;

	if (at == SIZE_MAX)
		return;
	function = span_trim((struct span){ after.data + at + 5, after.len - at - 5 });
	if (find_wait(path, function, &end))
		t->wait = span_of(arena_format(arena, "%.*s (%.*s)", (int)function.len,
					       function.data, (int)end.len, end.data));
}

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
	take_wait(t, path, line, arena);
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
