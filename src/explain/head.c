#include "explain/head.h"

#include "scan/marks.h"

extern const char data_components[];

const char *head_find(struct arena *arena, const char *text)
{
	struct marks *m = text ? marks_new(span_of(data_components), NULL) : NULL;
	const struct marks_row *row = m ? marks_find(m, span_of(text)) : NULL;
	const char *name = row ? arena_text(arena, row->kind) : NULL;

	marks_free(m);
	return name;
}
