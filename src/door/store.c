#include "door/store.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "door/standing.h"

struct span path_parent(struct span path)
{
	while (path.len > 1 && path.data[path.len - 1] != '/')
		path.len--;
	if (path.len > 1)
		path.len--;
	return path;
}

struct span path_name(struct span path)
{
	size_t i = path.len;

	while (i > 0 && path.data[i - 1] != '/')
		i--;
	return (struct span){ path.data + i, path.len - i };
}

static struct span unescaped(struct store *s, struct span word)
{
	struct buf b BUF_SCOPED = { 0 };

	if (!memchr(word.data, '\\', word.len))
		return word;
	if (!text_unword(&b, word))
		return word;
	return arena_span(&s->arena, buf_get(&b));
}

/*
 * Whether a name is listed is asked for every path that was not recorded. A
 * stranger's listing of a million names must not be read a million times.
 */
#define LONG_LISTING ((size_t)256)

struct listing {
	struct map marks; /* name -> its mark */
	struct listing *next;
};

/* "card0@" -> "card0" and its mark. */
static struct span cut_mark(struct span line, const char **ret_mark)
{
	*ret_mark = ".";
	line = (struct span){ line.data + 1, line.len - 1 }; /* the tab */
	if (span_ends(line, "/"))
		*ret_mark = "/";
	else if (span_ends(line, "@"))
		*ret_mark = "@";
	line.len -= **ret_mark != '.';
	return line;
}

static void index_listing(struct store *s, const struct record *r)
{
	struct listing *l;
	struct span rest = r->body;
	struct span line;
	const char *mark;

	if (r->body.len < LONG_LISTING && !map_find(&s->listings, r->path))
		return;
	l = arena_alloc(&s->arena, sizeof(*l));
	l->next = s->made;
	s->made = l;
	while (span_line(&rest, &line)) {
		struct span name = cut_mark(line, &mark);

		map_put(&l->marks, unescaped(s, name), (void *)(uintptr_t)mark);
	}
	map_put(&s->listings, r->path, l);
}

static void take(struct store *s, const struct record *next, struct span path)
{
	struct record *r = arena_alloc(&s->arena, sizeof(*r));

	*r = *next;
	r->path = path;
	if (s->count == s->cap) {
		s->cap = s->cap ? s->cap * 2 : 1024;
		s->records = realloc(s->records, s->cap * sizeof(struct record *));
		if (!s->records)
			memory_out();
	}
	s->records[s->count++] = r;
	map_put(&s->by_path[r->kind], r->path, r);
	if (r->kind == RECORD_DIR)
		index_listing(s, r);
}

static void take_files(struct store *s, const struct record *group)
{
	struct span dir = unescaped(s, group->path);
	struct span rest = group->body;
	struct record one;

	while (record_file_next(&rest, &one) > 0) {
		struct span name = unescaped(s, one.path);
		struct buf path BUF_SCOPED = { 0 };

		buf_span(&path, dir);
		if (dir.len > 1)
			buf_char(&path, '/');
		buf_span(&path, name);
		take(s, &one, arena_span(&s->arena, buf_get(&path)));
	}
}

void store_load(struct store *s, struct span text)
{
	struct record next;

	while (record_next(&text, &next) > 0) {
		if (next.kind == RECORD_UNKNOWN)
			s->unknown += !span_starts(next.raw, RECORD_MAGIC);
		else if (next.path.len == 0)
			continue; /* about nothing */
		else if (next.kind == RECORD_FILES)
			take_files(s, &next);
		else if (next.kind == RECORD_ASK)
			take(s, &next, next.path); /* its words are asked as they are written */
		else
			take(s, &next, unescaped(s, next.path));
	}
}

const struct record *store_find(const struct store *s, enum record_kind kind, struct span path)
{
	struct record *r;

	assert(kind < RECORD_KINDS);
	r = map_find(&s->by_path[kind], path);
	if (r)
		r->touched = true;
	return r;
}

bool store_is_current(const struct store *s, const struct record *r)
{
	return map_find(&s->by_path[r->kind], r->path) == r;
}

/* An escape may be spelled in two ways, and one is needed for a name that ends in '@'. */
static bool is_name(struct span entry, struct span name)
{
	struct buf plain BUF_SCOPED = { 0 };

	if (!memchr(entry.data, '\\', entry.len))
		return span_same(entry, name);
	return text_unword(&plain, entry) && span_same(buf_get(&plain), name);
}

int store_listed(const struct store *s, struct span dir, struct span name)
{
	const struct record *r = store_find(s, RECORD_DIR, dir);
	const struct listing *l;
	const char *mark;
	struct span rest;
	struct span line;

	if (!r || r->error)
		return -1;
	l = map_find(&s->listings, dir);
	if (l) {
		mark = map_find(&l->marks, name);
		return mark ? *mark : 0;
	}
	rest = r->body;
	while (span_line(&rest, &line)) {
		line = cut_mark(line, &mark);
		if (is_name(line, name))
			return *mark;
	}
	return 0;
}

int store_missing(const struct store *s, struct span path)
{
	while (path.len > 1) {
		struct span dir = path_parent(path);
		const struct record *r = store_find(s, RECORD_DIR, dir);

		if (r && r->error)
			return r->error;
		if (r)
			return store_listed(s, dir, path_name(path)) == 0 ? -ENOENT : DOOR_UNASKED;
		path = dir;
	}
	return DOOR_UNASKED;
}

void store_done(struct store *s)
{
	for (int kind = 0; kind < RECORD_KINDS; kind++)
		map_done(&s->by_path[kind]);
	for (struct listing *l = s->made; l; l = l->next)
		map_done(&l->marks);
	map_done(&s->listings);
	arena_done(&s->arena);
	free(s->records);
	*s = (struct store){ 0 };
}
