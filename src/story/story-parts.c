#include "story/story-parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

/* ---- lists ---- */

void *story_more(struct story *s, void *list, size_t *count, size_t *cap, size_t size, size_t most)
{
	char **bytes = list;

	if (*count == most) {
		s->left_out++;
		return NULL;
	}
	if (*count == *cap) {
		size_t room = *cap ? 2 * *cap : 16;
		char *grown = realloc(*bytes, room * size);

		if (!grown)
			memory_out();
		*bytes = grown;
		*cap = room;
	}
	memset(*bytes + *count * size, 0, size);
	return *bytes + (*count)++ * size;
}

/* ---- words ---- */

static const char *take_word(struct story *s, struct span *line, bool keep_lines)
{
	struct buf raw BUF_SCOPED = { 0 }, clean BUF_SCOPED = { 0 };
	struct span w;

	if (!span_word(line, &w) || span_is(w, "-"))
		return "";
	text_clean(&clean, text_unword(&raw, w) ? buf_get(&raw) : w, keep_lines);
	return arena_text(&s->arena, buf_get(&clean));
}

const char *story_word(struct story *s, struct span *line)
{
	return take_word(s, line, false);
}

const char *story_lines(struct story *s, struct span *line)
{
	return take_word(s, line, true);
}

const char *story_words(struct story *s, struct span *line)
{
	struct buf all BUF_SCOPED = { 0 };
	const char *one;

	while (span_trim(*line).len > 0) {
		one = story_word(s, line);
		buf_addf(&all, "%s%s", all.len ? " " : "", one);
	}
	return arena_text(&s->arena, buf_get(&all));
}

int64_t story_number(struct span *line)
{
	struct span w;
	int64_t value;

	return span_word(line, &w) && span_i64(w, &value) && value >= 0 ? value : -1;
}
