#include "explain/origin.h"

#include <string.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/text.h"

extern const char data_origins[], data_origin_words[];

#define LINE      "line-" /* kinds that are asked about the line itself */
#define BRIEF_MAX 3 /* lines of a text that is too short to tell more than that something failed */

/* The first row that fits, of the kinds of lines or of those of files: "/opt/rocm/bin/rocm-smi" fits both. */
static struct span kind_of(struct marks *m, struct span text, bool line, struct buf *ret_name)
{
	static const char *const names[] = { "name", "name2", "name3" };
	const struct marks_row *row = marks_find_part(m, text, LINE, line);
	struct span name;

	if (!row)
		return (struct span){ 0 };
	for (size_t i = 0; i < COUNT(names); i++)
		if (ret_name->len == 0 && marks_value(m, text, names[i], &name))
			text_clean(ret_name, name, false);
	return row->kind;
}

static bool find_words(struct span kind, struct span *ret)
{
	struct span rest = span_of(data_origin_words), line, name;

	while (span_line(&rest, &line))
		if (span_cut(&line, '\t', &name) && span_same(name, kind)) {
			*ret = line;
			return true;
		}
	return false;
}

static bool find_brief(struct arena *a, struct span kind, struct span *ret)
{
	return find_words(span_of(arena_format(a, "brief-%.*s", (int)kind.len, kind.data)), ret);
}

struct holes {
	const char *place, *name;
};

/* "Raised in the package {name} ({place}).": a hole that nothing fills stays away, with its brackets. */
static const char *fill(struct arena *a, struct span text, const struct holes *holes)
{
	const struct {
		const char *name, *value;
	} list[] = { { "{place}", holes->place }, { "{name}", holes->name } };
	struct buf out BUF_SCOPED = { 0 };

	for (size_t i = 0; i < text.len;) {
		struct span rest = { text.data + i, text.len - i };
		size_t k = 0;

		while (k < COUNT(list) && !span_starts(rest, list[k].name))
			k++;
		if (k == COUNT(list)) {
			buf_char(&out, text.data[i++]);
			continue;
		}
		i += strlen(list[k].name);
		if (list[k].value && list[k].value[0]) {
			buf_text(&out, list[k].value);
		} else if (out.len > 1 && out.data[out.len - 1] == '(' && i < text.len &&
			   text.data[i] == ')') {
			out.len -= 2; /* and the blank before the bracket */
			i++;
		} else {
			buf_text(&out, "it");
		}
	}
	return arena_text(a, buf_get(&out));
}

static void say(struct arena *a, struct span words, const struct holes *holes, struct failure *ret)
{
	struct span columns[5] = { 0 };

	for (size_t i = 0; i < COUNT(columns) && span_cut(&words, '\t', &columns[i]);)
		i++;
	ret->origin = arena_text(a, columns[0]);
	ret->says = fill(a, columns[1], holes);
	ret->step = fill(a, columns[2], holes);
	ret->typed = span_is(columns[3], "-") ? NULL : fill(a, columns[3], holes);
	ret->is_clear = span_is(columns[4], "clear");
	ret->is_vague = span_is(columns[4], "vague");
}

struct marks *origin_table(void)
{
	return marks_new(span_of(data_origins), NULL);
}

void origin_find(struct marks *origins, struct arena *arena, struct span frame,
		 unsigned long frame_line, struct failure *ret)
{
	struct buf name BUF_SCOPED = { 0 }, path BUF_SCOPED = { 0 };
	struct span kind = { 0 }, words;

	if (frame.len > 0) {
		text_clean(&path, frame, false);
		ret->place = arena_format(arena, "%s:%lu", path.data, frame_line);
	}
	kind = kind_of(origins, span_of(ret->last.text), true, &name);
	if (kind.len == 0 && frame.len > 0)
		kind = kind_of(origins, frame, false, &name);
	if (kind.len == 0)
		kind = frame.len > 0 ? SPAN_LITERAL("own-code") : SPAN_LITERAL("unknown");
	if ((ret->closing.line <= BRIEF_MAX && find_brief(arena, kind, &words)) ||
	    find_words(kind, &words) || find_words(SPAN_LITERAL("unknown"), &words))
		say(arena, words, &(struct holes){ ret->place, name.data }, ret);
}

bool origin_is_python(struct marks *origins, struct span path)
{
	const struct marks_row *row = marks_find_part(origins, path, LINE, false);

	return row && span_is(row->kind, "python-itself");
}

void origin_say(struct arena *arena, const char *kind, const char *place, const char *name,
		struct failure *ret)
{
	struct span words;

	if (find_words(span_of(kind), &words))
		say(arena, words, &(struct holes){ place, name }, ret);
}

void origin_end(struct arena *arena, struct failure *ret)
{
	origin_say(arena, arena_format(arena, "end-%s", failure_end_name(ret->end)), NULL, NULL,
		   ret);
}
