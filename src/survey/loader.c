#include "survey/loader.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>

#define CACHE_MAX ((size_t)16 << 20)

const char *loader_how_name(enum loader_how how)
{
	static const char *const names[LOADER_HOWS] = { "start",  "preload",         "loaded",
							"rpath",  "ld_library_path", "runpath",
							"cache",  "default",         "path",
							"missing" };

	assert(how < LOADER_HOWS);
	return names[how];
}

/* ---- paths with tokens in them ---- */

static struct span dir_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return (struct span){ path, slash ? (size_t)(slash - path) : 0 };
}

static bool is_multiarch(struct loader *l)
{
	return as_user_kind(l->user, l->machine == 183
					     ? "/usr/lib/aarch64-linux-gnu/libc.so.6"
					     : "/usr/lib/x86_64-linux-gnu/libc.so.6") == '-';
}

static const char *triplet(const struct loader *l)
{
	return l->machine == 183 ? "aarch64-linux-gnu" : "x86_64-linux-gnu";
}

/* "$ORIGIN" or "${ORIGIN}" at the front: its length, and its name. */
static size_t token_at(struct span s, struct span *ret_name)
{
	static const char *const names[] = { "ORIGIN", "PLATFORM", "LIB" };
	bool braced = s.len > 1 && s.data[1] == '{';
	size_t at = braced ? 2 : 1;

	for (size_t i = 0; i < 3; i++) {
		size_t n = strlen(names[i]);

		if (s.len < at + n || memcmp(s.data + at, names[i], n) != 0 ||
		    (braced && (s.len == at + n || s.data[at + n] != '}')))
			continue;
		*ret_name = (struct span){ s.data + at, n };
		return at + n + (braced ? 1 : 0);
	}
	return 0;
}

static const char *expand(struct loader *l, const char *origin, struct span text)
{
	const char *platform = (const char *)(uintptr_t)getauxval(AT_PLATFORM);
	struct buf out BUF_SCOPED = { 0 };
	struct span name;
	size_t n;

	while (text.len > 0) {
		n = text.data[0] == '$' ? token_at(text, &name) : 0;
		if (n == 0)
			buf_char(&out, text.data[0]);
		else if (span_is(name, "ORIGIN"))
			buf_span(&out, dir_of(origin));
		else if (span_is(name, "LIB") && is_multiarch(l))
			buf_addf(&out, "lib/%s", triplet(l));
		else if (span_is(name, "LIB"))
			buf_text(&out, "lib64");
		else
			buf_text(&out, platform ? platform : "");
		n = n ? n : 1;
		text = (struct span){ text.data + n, text.len - n };
	}
	return arena_text(l->arena, buf_get(&out));
}

/* Relative to the judged process, or NULL. */
static const char *absolute(struct loader *l, const char *path)
{
	if (path[0] == '/')
		return path;
	return l->cwd ? arena_format(l->arena, "%s/%s", l->cwd[1] ? l->cwd : "",
				     path[0] ? path : ".")
		      : NULL;
}

static void add_dir(struct loader *l, struct loader_dirs *d, const char *dir)
{
	dir = absolute(l, dir);
	if (!dir)
		return;
	d->dirs = arena_grow(l->arena, d->dirs, d->count, sizeof(*d->dirs));
	d->dirs[d->count++] = dir;
}

static void make_dirs(struct loader *l, struct loader_dirs *d, const char *text,
		      const char *separators, const char *origin)
{
	if (d->made)
		return;
	d->made = true;
	if (!text || text[0] == '\0')
		return;
	for (;;) {
		size_t n = strcspn(text, separators);

		add_dir(l, d, expand(l, origin, (struct span){ text, n }));
		if (text[n] == '\0')
			return;
		text += n + 1;
	}
}

static void make_system(struct loader *l)
{
	struct loader_dirs *d = &l->system;

	if (d->made)
		return;
	d->made = true;
	if (is_multiarch(l)) {
		add_dir(l, d, arena_format(l->arena, "/lib/%s", triplet(l)));
		add_dir(l, d, arena_format(l->arena, "/usr/lib/%s", triplet(l)));
	} else {
		add_dir(l, d, "/lib64");
		add_dir(l, d, "/usr/lib64");
	}
	add_dir(l, d, "/lib");
	add_dir(l, d, "/usr/lib");
}

/* ---- one file ---- */

static int find_loaded(const struct loader *l, const char *name)
{
	for (size_t i = 0; i < l->object_count; i++) {
		const struct loader_object *o = &l->objects[i];

		for (size_t n = 0; n < o->name_count; n++)
			if (strcmp(o->names[n], name) == 0)
				return (int)i;
		if (strcmp(o->path, name) == 0 ||
		    (o->dynamic.soname && strcmp(o->dynamic.soname, name) == 0))
			return (int)i;
	}
	return -1;
}

static void add_name(struct loader *l, int object, const char *name)
{
	struct loader_object *o = &l->objects[object];

	o->names = arena_grow(l->arena, o->names, o->name_count, sizeof(*o->names));
	o->names[o->name_count++] = arena_text(l->arena, span_of(name));
}

/* An object for another CPU architecture is skipped, and the search goes on. */
static int read_object(struct loader *l, struct as_user_file *f, struct elf_dynamic *ret)
{
	struct source s = as_user_source(f, 0);
	struct elf *elf = &l->elf;
	const char *why;
	int r = elf_open(&s, elf, &why);

	if (r < 0)
		return r;
	if (elf->type != ELF_SHARED && (elf->type != ELF_EXECUTABLE || l->object_count > 0))
		return -ENOEXEC;
	if (l->object_count > 0 && elf->machine != l->machine)
		return -ENOEXEC;
	l->machine = elf->machine;
	/* A dynamic section that was cut is used as far as it was read. */
	l->cut |= elf_dynamic(elf, l->arena, ret) == -E2BIG;
	return 0;
}

/* The number of the object at a path, new or known; -errno if there is none. */
static int map_file(struct loader *l, const char *path, const char *name, int parent)
{
	struct elf_dynamic dynamic = { 0 };
	struct as_user_file f;
	int r = as_user_open(l->user, path, &f);

	if (r < 0)
		return r;
	for (size_t i = 0; i < l->object_count; i++)
		if (l->objects[i].device == f.device && l->objects[i].inode == f.inode) {
			as_user_close(&f);
			add_name(l, (int)i, name);
			return (int)i;
		}
	r = read_object(l, &f, &dynamic);
	as_user_close(&f);
	l->full |= r == 0 && l->object_count == LOADER_OBJECTS_MAX;
	if (r < 0 || l->full)
		return r < 0 ? r : -ENOSPC;
	l->objects[l->object_count] =
		(struct loader_object){ .path = arena_text(l->arena, span_of(path)),
					.device = f.device,
					.inode = f.inode,
					.parent = parent,
					.dynamic = dynamic };
	add_name(l, (int)l->object_count, name);
	return (int)l->object_count++;
}

/* ---- the search for a name ---- */

static int in_dirs(struct loader *l, const struct loader_dirs *d, const char *name, int parent)
{
	char path[AS_USER_PATH_MAX];

	for (size_t i = 0; i < d->count; i++) {
		size_t n = strlen(d->dirs[i]);
		bool slash = n > 0 && d->dirs[i][n - 1] == '/';
		int found;

		if ((size_t)snprintf(path, sizeof(path), "%s%s%s", d->dirs[i], slash ? "" : "/",
				     name) >= sizeof(path))
			continue;
		found = map_file(l, path, name, parent);
		if (found >= 0)
			return found;
	}
	return -ENOENT;
}

/* A RUNPATH makes the RPATH void. */
static const struct loader_dirs *rpath_of(struct loader *l, int object)
{
	struct loader_object *o = &l->objects[object];

	make_dirs(l, &o->rpath, o->dynamic.runpath ? NULL : o->dynamic.rpath, ":", o->path);
	return &o->rpath;
}

/* Searches the RPATH of the object and of its parents; the program's in any case. */
static int in_rpaths(struct loader *l, const char *name, int by)
{
	int found = -ENOENT;
	bool program = false;

	if (l->objects[by].dynamic.runpath)
		return found;
	for (int o = by; o >= 0 && found < 0; o = l->objects[o].parent) {
		found = in_dirs(l, rpath_of(l, o), name, by);
		program |= o == 0;
	}
	return found < 0 && !program ? in_dirs(l, rpath_of(l, 0), name, by) : found;
}

void loader_make_dirs(struct loader *l, int object)
{
	struct loader_object *o = &l->objects[object];

	(void)rpath_of(l, object);
	make_dirs(l, &o->runpath, o->dynamic.runpath, ":", o->path);
}

/* The order is that of ld.so(8). */
static int search(struct loader *l, const char *name, int by, enum loader_how *ret_how)
{
	struct loader_object *o = &l->objects[by];
	struct span path;
	int found;

	*ret_how = LOADER_RPATH;
	found = in_rpaths(l, name, by);
	if (found >= 0)
		return found;
	*ret_how = LOADER_VARIABLE;
	found = in_dirs(l, &l->variable, name, by);
	if (found >= 0)
		return found;
	*ret_how = LOADER_RUNPATH;
	make_dirs(l, &o->runpath, o->dynamic.runpath, ":", o->path);
	found = in_dirs(l, &o->runpath, name, by);
	if (found >= 0)
		return found;
	*ret_how = LOADER_CACHE;
	if (ld_cache_find(&l->cache, span_of(name), ld_cache_flags(l->machine), &path)) {
		found = map_file(l, arena_text(l->arena, path), name, by);
		if (found >= 0)
			return found;
	}
	*ret_how = LOADER_DEFAULT;
	make_system(l);
	return in_dirs(l, &l->system, name, by);
}

/* The loader itself is there before anything is loaded. */
static bool is_loader(const char *name)
{
	const char *slash = strrchr(name, '/');

	name = slash ? slash + 1 : name;
	return strncmp(name, "ld-linux", 8) == 0 || strncmp(name, "ld64.so", 7) == 0 ||
	       strncmp(name, "linux-vdso", 10) == 0;
}

static int map_name(struct loader *l, const char *name, int by, enum loader_how *ret_how)
{
	const char *path;
	int found = find_loaded(l, name);

	*ret_how = LOADER_LOADED;
	if (found >= 0 || is_loader(name))
		return found;
	if (strchr(name, '/')) {
		*ret_how = LOADER_PATH;
		path = absolute(l, expand(l, l->objects[by].path, span_of(name)));
		found = path ? map_file(l, path, name, by) : -ENOENT;
	} else {
		found = search(l, name, by, ret_how);
	}
	if (found < 0)
		*ret_how = LOADER_MISSING;
	return found;
}

/* ---- breadth first ---- */

static void load_needed(struct loader *l, size_t first)
{
	for (size_t i = first; i < l->object_count; i++) {
		const struct elf_dynamic *d = &l->objects[i].dynamic;

		for (size_t n = 0; n < d->needed_count; n++) {
			struct loader_edge e = { .wanted = d->needed[n], .by = (int)i };

			e.object = map_name(l, e.wanted, e.by, &e.how);
			if (e.object < 0 && (e.how == LOADER_LOADED || l->full))
				continue; /* there already, or more than are looked at */
			l->edges = arena_grow(l->arena, l->edges, l->edge_count, sizeof(e));
			l->edges[l->edge_count++] = e;
		}
	}
}

static void load_preloads(struct loader *l, const char *list)
{
	while (list && *list) {
		size_t n = strcspn(list, " :\n\t");
		struct loader_edge e = { .wanted = arena_text(l->arena, (struct span){ list, n }) };

		e.object = n > 0 ? map_name(l, e.wanted, 0, &e.how) : -1;
		e.how = LOADER_PRELOAD;
		if (e.object >= 0) { /* what is not there is passed over with a warning */
			l->edges = arena_grow(l->arena, l->edges, l->edge_count, sizeof(e));
			l->edges[l->edge_count++] = e;
		}
		list += n + (list[n] ? 1 : 0);
	}
}

void loader_init(struct loader *l, struct as_user *user, struct arena *arena,
		 const char *library_path, const char *preload, const char *cwd)
{
	int r;

	*l = (struct loader){ .user = user, .arena = arena, .preload = preload, .cwd = cwd };
	r = as_user_read(user, "/etc/ld.so.cache", CACHE_MAX, &l->cache_text);
	if (r < 0 || !ld_cache_open(buf_get(&l->cache_text), &l->cache)) {
		l->cache = (struct ld_cache){ 0 };
		l->cache_unread = r != -ENOENT && r != -ENOTDIR;
	}
	l->variable_text = library_path;
}

void loader_done(struct loader *l)
{
	buf_done(&l->cache_text);
}

/* Its $ORIGIN is the directory behind all links: the kernel tells it to the loader so. */
int loader_start(struct loader *l, const char *path)
{
	struct buf preload BUF_SCOPED = { 0 };
	int r = map_file(l, path, path, -1);

	if (r < 0)
		return r;
	make_dirs(l, &l->variable, l->variable_text, ":;", path);
	load_preloads(l, l->preload);
	if (as_user_read(l->user, "/etc/ld.so.preload", 65536, &preload) == 0)
		load_preloads(l, preload.data);
	load_needed(l, 0);
	return r;
}

int loader_open(struct loader *l, const char *path)
{
	size_t before = l->object_count;
	int r = map_file(l, path, path, 0);

	if (r >= 0)
		load_needed(l, before);
	return r;
}
