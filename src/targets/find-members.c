#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/debug.h"
#include "targets/find.h"

#define HELD_MAX   ((size_t)12 << 20) /* of members that wait, over all containers */
#define GROUPS_MAX 4096
#define FILES_MAX  100000 /* in directories of kernels */

/* Kept until the end: an archive of kernels, or a library that looks for some. */
struct find_member {
	struct find_member *next;
	const char *container;
	const char *name; /* as the container has it: relative paths are resolved there */
	const char *shown;
	const char *why;
	struct sieve *sieve;
	bool archive;
};

/* A directory of kernels in a container. */
struct member_group {
	struct member_group *next;
	const char *directory;
	const char *shown;
	const char *kind;
	struct kernels_file *files;
	size_t count;
	struct index_kept *indexes;
};

struct index_kept {
	struct index_kept *next;
	const char *name; /* in the group */
	struct sieve *sieve;
};

struct member_visit {
	struct find *f;
	const char *container;
	struct arena arena;
	struct member_group *groups;
	size_t group_count;
	bool groups_cut;      /* there were more */
	size_t file_count;    /* in groups */
	struct buf shown;     /* the member that passes: its name for people */
	struct buf directory; /* of the one before, whose group is known */
	struct member_group *group;
	size_t held;
	size_t rows; /* added */
};

/* ---- names ---- */

/* The layer of an image is a part of the path; the data.tar of a package is not. */
static void show_name(const struct archive_member *m, struct buf *ret)
{
	struct span inside = span_of(m->inside);
	struct span rest = inside;
	struct span part;

	buf_clear(ret);
	if (span_starts(inside, "blobs/")) {
		while (span_cut(&rest, '/', &part))
			inside = part;
		inside.len = inside.len < 12 ? inside.len : 12; /* as docker shortens a digest */
	}
	if (inside.len > 0 && !span_starts(inside, "data.tar")) {
		buf_span(ret, inside);
		buf_char(ret, '/');
	}
	buf_text(ret, m->name);
}

static struct span directory_of(struct span path)
{
	while (path.len > 0 && path.data[path.len - 1] != '/')
		path.len--;
	path.len -= path.len > 0;
	return path;
}

/* ---- directories of kernels ---- */

/* The outermost directory above the member that is of a kind. */
static struct member_group *group_of(struct member_visit *v, struct span shown)
{
	struct span whole = directory_of(shown);

	if (v->directory.data && span_is(whole, v->directory.data))
		return v->group;
	buf_clear(&v->directory);
	buf_span(&v->directory, whole);
	for (size_t n = 1; n <= whole.len; n++) {
		struct span directory = { whole.data, n };
		const char *kind =
			n == whole.len || whole.data[n] == '/' ? kernels_kind(directory) : NULL;
		struct member_group *g = v->groups;

		if (!kind)
			continue;
		while (g && !span_is(directory, g->directory))
			g = g->next;
		if (g)
			return g;
		if (v->group_count == GROUPS_MAX) {
			v->groups_cut = true;
			continue;
		}
		g = arena_alloc(&v->arena, sizeof(*g));
		*g = (struct member_group){ .next = v->groups,
					    .directory = arena_text(&v->arena, directory),
					    .kind = kind };
		v->groups = g;
		v->group_count++;
		return g;
	}
	return NULL;
}

static const char *name_in(const struct member_group *g, const char *shown)
{
	return shown + strlen(g->directory) + 1;
}

static void add_to_group(struct member_visit *v, struct member_group *g, const char *shown,
			 uint64_t size)
{
	if (v->file_count++ >= FILES_MAX)
		return;
	g->files = arena_grow(&v->arena, g->files, g->count, sizeof(*g->files));
	g->files[g->count++] =
		(struct kernels_file){ arena_text(&v->arena, span_of(name_in(g, shown))), size };
}

static int open_index(void *of, const char *name, struct source *ret)
{
	const struct member_group *g = of;

	for (const struct index_kept *i = g->indexes; i; i = i->next) {
		if (strcmp(i->name, name) != 0)
			continue;
		*ret = sieve_source(i->sieve);
		return 0;
	}
	return -ENOTSUP; /* did not fit: its name has to do */
}

static void close_index(void *of, struct source *s)
{
	(void)of;
	(void)s;
}

/* ---- members ---- */

static bool see_name(void *of, const struct archive_member *m)
{
	struct member_visit *v = of;

	v->f->step(v->f->step_ctx, m->name);
	show_name(m, &v->shown);
	v->group = group_of(v, buf_get(&v->shown));
	if (v->group) {
		add_to_group(v, v->group, v->shown.data, m->size);
		return kernels_opens(v->group->kind, name_in(v->group, v->shown.data));
	}
	return !find_is_unlikely(span_of(m->name));
}

static bool see_first(void *of, const struct archive_member *m, struct span first)
{
	const struct member_visit *v = of;

	(void)m;
	return v->group || find_is_code(first);
}

static void keep_index(struct member_visit *v, struct member_group *g, struct sieve *take)
{
	struct index_kept *i;

	if (v->held + sieve_held(take) > HELD_MAX) {
		sieve_free(take);
		return;
	}
	v->held += sieve_held(take);
	i = arena_alloc(&v->arena, sizeof(*i));
	*i = (struct index_kept){ g->indexes,
				  arena_text(&v->arena, span_of(name_in(g, v->shown.data))), take };
	g->indexes = i;
}

/* False if there is no room, and the member must be told of without what it refers to. */
static bool keep_member(struct member_visit *v, const struct archive_member *m, struct sieve *sieve,
			const char *why, bool archive)
{
	struct find *f = v->f;
	struct find_member *late;

	if (f->held + sieve_held(sieve) > HELD_MAX)
		return false;
	f->held += sieve_held(sieve);
	late = arena_alloc(&f->arena, sizeof(*late));
	*late = (struct find_member){
		.next = f->members,
		.container = arena_text(&f->arena, span_of(v->container)),
		.name = arena_text(&f->arena, span_of(m->name)),
		.shown = arena_text(&f->arena, buf_get(&v->shown)),
		.why = why ? arena_text(&f->arena, span_of(why)) : NULL,
		.sieve = sieve,
		.archive = archive,
	};
	f->members = late;
	return true;
}

static void see_member(void *of, const struct archive_member *m, struct sieve *take,
		       const char *why)
{
	struct member_visit *v = of;
	struct source s = sieve_source(take);
	struct arena *arena = &v->f->t->arena;
	struct arena_mark mark = arena_mark(arena);
	struct code *code;
	bool kept = false, added = false;

	if (v->group) {
		keep_index(v, v->group, take);
		return;
	}
	code = arena_alloc(arena, sizeof(*code));
	DEBUG(DEBUG_CODE, 0, "read the member %s", m->name);
	code_read(&s, NULL, arena, code);
	if (code->kind == CODE_KPACK || code->kpack_name)
		kept = keep_member(v, m, take, why, code->kind == CODE_KPACK);
	if (!kept)
		added = find_add_code(v->f, v->container, v->shown.data, code, why);
	v->rows += kept || added;
	if (!added)
		arena_back(arena, mark);
	if (!kept)
		sieve_free(take);
}

void find_container(struct find *f, const char *path, int fd, bool named)
{
	struct member_visit v = { .f = f, .container = path };
	struct archive_visitor visitor = { see_name, see_first, see_member, &v };
	struct buf why BUF_SCOPED = { 0 };
	int r = archive_walk(fd, &visitor, &why);

	for (struct member_group *g = v.groups; g; g = g->next) {
		struct kernels *k = arena_alloc(&f->t->arena, sizeof(*k));

		kernels_read(g->kind, g->files, g->count, open_index, close_index, g, &f->t->arena,
			     k);
		if (k->kind && (k->arch_count > 0 || k->problem_count > 0)) {
			targets_add(f->t, path, g->directory)->kernels = k;
			v.rows++;
		}
		for (struct index_kept *i = g->indexes; i; i = i->next)
			i->sieve = sieve_free(i->sieve);
	}
	if (r < 0)
		targets_unread(f->t, path, why.len ? why.data : strerror(-r));
	else if (v.rows == 0 && named)
		targets_nothing(f->t, path, "no member holds device code");
	if (v.groups_cut)
		targets_unread(f->t, path,
			       "more than 4096 directories of kernels: not all were looked into");
	if (v.file_count > FILES_MAX)
		targets_unread(f->t, path,
			       "more than 100000 files of kernels: not all were counted");
	buf_done(&v.shown);
	buf_done(&v.directory);
	arena_done(&v.arena);
}

/* ---- at the end ---- */

/* "torch/lib" and "../.kpack/x" to "torch/.kpack/x"; false above the top. */
static bool resolve(struct span directory, const char *relative, struct buf *ret)
{
	struct span rest = span_of(relative);
	struct span part;

	buf_span(ret, directory);
	while (span_cut(&rest, '/', &part)) {
		if (part.len == 0 || span_is(part, "."))
			continue;
		if (span_is(part, "..")) {
			if (ret->len == 0)
				return false;
			ret->len = directory_of(buf_get(ret)).len;
			continue;
		}
		if (ret->len > 0)
			buf_char(ret, '/');
		buf_span(ret, part);
	}
	return true;
}

struct around {
	const struct find *f;
	const struct find_member *library;
};

static int open_around(void *of, const char *relative, struct source *ret)
{
	const struct around *a = of;
	struct buf path BUF_SCOPED = { 0 };

	if (!resolve(directory_of(span_of(a->library->name)), relative, &path))
		return -ENOENT;
	for (const struct find_member *m = a->f->members; m; m = m->next) {
		if (!m->archive || !span_is(buf_get(&path), m->name))
			continue;
		*ret = sieve_source(m->sieve);
		return 0;
	}
	return -ENOENT;
}

static void close_around(void *of, struct source *s)
{
	(void)of;
	(void)s;
}

static int list_around(void *of, const char *relative, struct arena *arena,
		       const char *const **ret_names, size_t *ret_count)
{
	const struct around *a = of;
	struct buf path BUF_SCOPED = { 0 };
	const char **names;
	size_t count = 0;

	if (!resolve(directory_of(span_of(a->library->name)), relative, &path))
		return -ENOENT;
	for (const struct find_member *m = a->f->members; m; m = m->next)
		count += m->archive;
	names = arena_alloc(arena, (count + 1) * sizeof(*names));
	count = 0;
	for (const struct find_member *m = a->f->members; m; m = m->next) {
		struct span directory = directory_of(span_of(m->name));

		if (m->archive && span_same(directory, buf_get(&path)))
			names[count++] = m->name + path.len + (path.len > 0);
	}
	*ret_names = names;
	*ret_count = count;
	return count > 0 ? 0 : -ENOENT;
}

void find_members_end(struct find *f)
{
	for (const struct find_member *m = f->members; m; m = m->next) {
		struct around around = { f, m };
		struct code_opener opener = { open_around, close_around, list_around, &around };
		struct source s = sieve_source(m->sieve);
		struct code *code = arena_alloc(&f->t->arena, sizeof(*code));

		code_read(&s, &opener, &f->t->arena, code);
		find_add_code(f, m->container, m->shown, code, m->why);
	}
	for (struct find_member *m = f->members; m; m = m->next)
		m->sieve = sieve_free(m->sieve);
	f->members = NULL;
}
