#include "targets/find.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/debug.h"

#define DEPTH_MAX 64
#define TOO_DEEP  "more than 64 directories deep"

struct file_id {
	dev_t device;
	ino_t inode;
};

/* ---- what is worth opening ---- */

static const char *const unlikely[] = {
	".py",  ".pyc", ".pyi", ".h",    ".hpp", ".hh",  ".inc",   ".c",     ".cc",  ".cpp",
	".cu",  ".cuh", ".hip", ".txt",  ".md",  ".rst", ".json",  ".yaml",  ".yml", ".toml",
	".cfg", ".ini", ".xml", ".html", ".css", ".js",  ".cmake", ".pc",    ".sh",  ".csv",
	".png", ".svg", ".jpg", ".ttf",  ".mo",  ".po",  ".typed", ".proto", ".pod", ".pm",
};

bool find_is_unlikely(struct span name)
{
	for (size_t i = 0; i < sizeof(unlikely) / sizeof(unlikely[0]); i++)
		if (span_ends(name, unlikely[i]))
			return true;
	return false;
}

bool find_is_code(struct span first)
{
	static const char *const magics[] = { "\177ELF", "__CLANG_OFFLOAD_BUNDLE__",
					      "CCOB",    "!<arch>\n",
					      "KPAK",    "\x10\xff\x10\xad",
					      "MZ" };

	for (size_t i = 0; i < sizeof(magics) / sizeof(magics[0]); i++)
		if (span_starts(first, magics[i]))
			return !archive_known(first); /* a .deb is an ar, too */
	return false;
}

/* ---- rows ---- */

bool find_add_code(struct find *f, const char *container, const char *path, const struct code *code,
		   const char *why)
{
	struct arena *a = &f->t->arena;
	struct targets_row *row;
	const char **problems;
	struct code *copy;

	/* A file that holds nothing as far as it could be read may hold code all the same. */
	if (code->bundles == 0 && code->target_count == 0 && !code->kpack_name &&
	    code->problem_count == 0 && !why)
		return false;
	row = targets_add(f->t, container, path);
	row->code = code;
	if (!why)
		return true;
	problems = arena_alloc(a, (code->problem_count + 1) * sizeof(*problems));
	for (size_t i = 0; i < code->problem_count; i++)
		problems[i] = code->problems[i];
	problems[code->problem_count] = arena_text(a, span_of(why));
	copy = arena_alloc(a, sizeof(*copy));
	*copy = *code;
	copy->problems = problems;
	copy->problem_count++;
	row->code = copy;
	return true;
}

/* ---- what a library refers to ---- */

struct library_directory {
	const struct find *f;
	struct span directory; /* below what is looked at; empty: that itself */
};

static const char *join(struct buf *b, const char *directory, const char *name)
{
	size_t n = strlen(directory);

	buf_add(b, directory, n);
	if (n > 0 && directory[n - 1] != '/')
		buf_char(b, '/');
	buf_text(b, name);
	return b->data;
}

/* A path of rows, as it is below the directory that is looked at. */
static const char *inside(const struct find *f, const char *path)
{
	size_t n = strlen(path);

	return path + (n < f->skip ? n : f->skip);
}

static int take(int fd, const struct stat *st, struct source *ret)
{
	if (fd < 0)
		return fd == -EISDIR ? -EINVAL : fd;
	*ret = source_file(fd, (uint64_t)st->st_size);
	return 0;
}

static void close_beside(void *of, struct source *s)
{
	(void)of;
	close(s->fd);
}

/*
 * AMD's splitter writes as many ".." as the library lies deep, and ".kpack" behind them
 * (ROCm/rocm-systems 3027bf1a, shared/kpack/python/rocm_kpack/artifact_splitter.py). So
 * ".kpack" may lie anywhere above; anything else only below the library's parent.
 */
static bool may_refer(const char *relative)
{
	struct span rest = span_of(relative), part;
	size_t up = 0;

	while (span_cut(&rest, '/', &part) && (span_is(part, "..") || span_is(part, ".")))
		up += part.len - 1;
	if (up > 1 && !span_is(part, ".kpack"))
		return false;
	while (span_cut(&rest, '/', &part))
		if (span_is(part, ".."))
			return false;
	return true;
}

/* "lib/a" and "../../../.kpack/x" are ".kpack/x" in the directory that is *ret_up above. */
static void resolve(struct span directory, const char *relative, struct buf *ret,
		    unsigned int *ret_up)
{
	struct span rest = span_of(relative), part;

	*ret_up = 0;
	buf_span(ret, directory);
	while (span_cut(&rest, '/', &part)) {
		if (part.len == 0 || span_is(part, "."))
			continue;
		if (!span_is(part, "..")) {
			buf_text(ret, ret->len > 0 ? "/" : "");
			buf_span(ret, part);
		} else if (ret->len == 0) {
			(*ret_up)++;
		} else {
			const char *slash = memrchr(ret->data, '/', ret->len);

			ret->len = slash ? (size_t)(slash - ret->data) : 0;
			ret->data[ret->len] = '\0';
		}
	}
}

/* The place of a reference: 0 or -errno, -EXDEV before any file is touched. */
static int refer(const struct library_directory *l, const char *relative, struct buf *ret_path,
		 struct below *ret)
{
	unsigned int up;

	resolve(l->directory, relative, ret_path, &up);
	if (!may_refer(relative) || (up > 0 && l->f->allowed))
		return -EXDEV;
	buf_text(ret_path, ret_path->len == 0 ? "." : "");
	return below_above(&l->f->top, up, ret);
}

static int open_reference(void *of, const char *relative, struct source *ret)
{
	struct buf path BUF_SCOPED = { 0 };
	struct below base;
	struct stat st;
	int r = refer(of, relative, &path, &base);

	if (r < 0)
		return r;
	r = take(below_file(&base, path.data, BELOW_INSIDE, &st), &st, ret);
	below_close(&base);
	return r;
}

static int list_reference(void *of, const char *relative, struct arena *arena,
			  const char *const **ret_names, size_t *ret_count)
{
	struct buf path BUF_SCOPED = { 0 };
	struct below_name *found = NULL;
	const char **names;
	struct below base;
	int r = refer(of, relative, &path, &base);

	if (r < 0)
		return r;
	r = below_names(&base, path.data, BELOW_INSIDE, false, arena, &found, ret_count);
	below_close(&base);
	if (r < 0)
		return r;
	names = arena_alloc(arena, (*ret_count + 1) * sizeof(*names));
	for (size_t i = 0; i < *ret_count; i++)
		names[i] = found[i].name;
	*ret_names = names;
	return 0;
}

/* ---- files ---- */

static bool read_code(struct find *f, const char *path, struct source *s, bool named)
{
	const char *below = inside(f, path), *slash = strrchr(below, '/');
	struct library_directory directory = { f, { below, slash ? (size_t)(slash - below) : 0 } };
	struct code_opener opener = { open_reference, close_beside, list_reference, &directory };
	struct arena_mark mark = arena_mark(&f->t->arena);
	struct code *code = arena_alloc(&f->t->arena, sizeof(*code));
	bool found;

	DEBUG(DEBUG_CODE, 0, "read %s", path);
	code_read(s, &opener, &f->t->arena, code);
	found = find_add_code(f, NULL, path, code, NULL);
	if (found)
		f->t->rows[f->t->row_count - 1].named = named;
	else
		arena_back(&f->t->arena, mark);
	return found;
}

/* A file with several names is one file. */
static bool is_seen(struct find *f, const struct stat *st)
{
	struct file_id place;
	struct span key;

	memset(&place, 0, sizeof(place)); /* no padding of chance in a key */
	place.device = st->st_dev;
	place.inode = st->st_ino;
	key = (struct span){ (const char *)&place, sizeof(place) };
	if (map_find(&f->seen, key))
		return true;
	key = arena_span(&f->arena, key);
	map_put(&f->seen, key, (void *)key.data);
	return false;
}

/* `image`: below an OCI layout, where layers have no telling names. */
static void look_into(struct find *f, const char *path, int fd, const struct stat *st, bool named,
		      bool image)
{
	struct source s = source_file(fd, (uint64_t)st->st_size);
	char bytes[4096];
	int64_t n = source_some(&s, 0, bytes, sizeof(bytes));
	struct span first = { bytes, n > 0 ? (size_t)n : 0 };

	s.head = first;
	if (n < 0)
		targets_unread(f->t, path, strerror((int)-n));
	else if (find_is_code(first)) {
		if (!read_code(f, path, &s, named) && named)
			targets_nothing(f->t, path, "no device code");
	} else if (archive_known(first) && (named || image || archive_named(span_of(path))))
		find_container(f, path, fd, named);
	else if (named)
		targets_nothing(f->t, path, "neither a binary nor an archive: no device code");
}

/* A name that the user gave may be a link; one that was found in a tree is none. */
static void find_file(struct find *f, const char *path, bool named, bool image)
{
	struct stat st;
	int fd;

	f->step(f->step_ctx, path);
	fd = below_file(&f->top, inside(f, path), named && !f->allowed ? BELOW_ANY : BELOW_NONE,
			&st);
	if (fd < 0 && (fd != -EINVAL || !named))
		targets_unread(f->t, path, strerror(-fd));
	else if (fd < 0)
		targets_nothing(f->t, path, "is neither a file nor a directory");
	else if (named || !is_seen(f, &st))
		look_into(f, path, fd, &st, named, image);
	if (fd >= 0)
		close(fd);
}

/* ---- directories of kernels ---- */

struct gathered {
	struct find *f;
	const char *directory; /* below what is looked at */
	struct arena arena;
	struct kernels_file *files;
	size_t count;
};

/* Packages may link their kernels from a store; what --allow shuts out stays out. */
static int open_kernel(void *of, const char *relative, struct source *ret)
{
	const struct gathered *g = of;
	struct buf path BUF_SCOPED = { 0 };
	struct stat st;
	int fd = below_file(&g->f->top, join(&path, g->directory, relative),
			    g->f->allowed ? BELOW_INSIDE : BELOW_ANY, &st);

	return take(fd, &st, ret);
}

static void gather(struct gathered *g, const char *path, const char *relative, unsigned int depth)
{
	struct arena_mark mark = arena_mark(&g->f->names);
	struct below_name *names = NULL;
	size_t count = 0;
	int r = below_names(&g->f->top, inside(g->f, path), BELOW_NONE, true, &g->f->names, &names,
			    &count);

	if (r < 0 && r != -ENOTSUP)
		targets_unread(g->f->t, path, strerror(-r));
	for (size_t i = 0; i < count; i++) {
		struct buf within BUF_SCOPED = { 0 };
		struct buf below BUF_SCOPED = { 0 };

		if (names[i].name[0] == '.')
			continue;
		join(&within, path, names[i].name);
		join(&below, relative, names[i].name);
		if (names[i].kind != 'd') {
			g->files = arena_grow(&g->arena, g->files, g->count, sizeof(*g->files));
			g->files[g->count++] =
				(struct kernels_file){ arena_text(&g->arena, buf_get(&below)),
						       names[i].size };
		} else if (depth == DEPTH_MAX) {
			targets_unread(g->f->t, within.data, TOO_DEEP);
		} else {
			gather(g, within.data, below.data, depth + 1);
		}
	}
	arena_back(&g->f->names, mark);
}

static void find_kernels(struct find *f, const char *path, const char *kind)
{
	struct gathered g = { .f = f, .directory = inside(f, path) };
	struct kernels *k = arena_alloc(&f->t->arena, sizeof(*k));

	f->step(f->step_ctx, path);
	gather(&g, path, "", 0);
	kernels_read(kind, g.files, g.count, open_kernel, close_beside, &g, &f->t->arena, k);
	if (k->kind && (k->arch_count > 0 || k->problem_count > 0))
		targets_add(f->t, NULL, path)->kernels = k;
	arena_done(&g.arena);
}

/* ---- trees ---- */

static void find_tree(struct find *f, const char *path, bool image, unsigned int depth);

static void find_entry(struct find *f, const char *path, const struct below_name *entry, bool image,
		       unsigned int depth)
{
	struct buf within BUF_SCOPED = { 0 };

	if (entry->kind != 'd' && (entry->kind != '-' || find_is_unlikely(span_of(entry->name))))
		return;
	join(&within, path, entry->name);
	if (entry->kind == 'd')
		find_tree(f, within.data, image, depth + 1);
	else
		find_file(f, within.data, false, image);
}

static void find_tree(struct find *f, const char *path, bool image, unsigned int depth)
{
	const char *kind = kernels_kind(span_of(path));
	struct arena_mark mark = arena_mark(&f->names);
	struct below_name *names = NULL;
	size_t count = 0;
	int r;

	if (kind) {
		find_kernels(f, path, kind);
		return;
	}
	if (depth > DEPTH_MAX) {
		targets_unread(f->t, path, TOO_DEEP);
		return;
	}
	r = below_names(&f->top, inside(f, path), BELOW_NONE, false, &f->names, &names, &count);
	if (r < 0 && r != -ENOTSUP)
		targets_unread(f->t, path, strerror(-r));
	for (size_t i = 0; i < count; i++)
		image |= strcmp(names[i].name, "oci-layout") == 0;
	for (size_t i = 0; i < count; i++)
		find_entry(f, path, &names[i], image, depth);
	arena_back(&f->names, mark);
}

/* The kind of a directory is in its path, which the user may have shortened. */
static void find_named_tree(struct find *f, const char *path)
{
	char *whole = f->allowed ? NULL : realpath(path, NULL);
	const char *kind = kernels_kind(span_of(whole ? whole : path));
	size_t before = f->t->row_count + f->t->unread_count;

	if (kind)
		find_kernels(f, path, kind);
	else
		find_tree(f, path, false, 0);
	if (f->t->row_count + f->t->unread_count == before)
		targets_nothing(f->t, path, "no file in it holds device code");
	free(whole);
}

/* ---- what was named ---- */

/* "lib/x.so" is "x.so" in "lib", "x.so" in ".", "/x" in "/". */
static int enter_parent(struct find *f, const char *path)
{
	const char *slash = strrchr(path, '/');
	struct span parent = { path, slash ? (size_t)(slash - path) + (slash == path) : 0 };

	f->skip = slash ? (size_t)(slash - path) + 1 : 0;
	return below_open_parent(slash ? arena_text(&f->arena, parent) : ".", &f->top);
}

/* Without its last slashes, and what it is below is open. */
static void look_at(struct find *f, const char *path)
{
	int r = below_open(path, &f->top);

	if (r == 0) {
		f->skip = strcmp(path, "/") == 0 ? 1 : strlen(path) + 1;
		find_named_tree(f, path);
	} else if (r == -ENOTDIR && (r = enter_parent(f, path)) == 0) {
		find_file(f, path, true, false);
	}
	if (r < 0)
		targets_unread(f->t, path, strerror(-r));
	else
		below_close(&f->top);
}

static void look_at_allowed(struct find *f, const char *path)
{
	const char *real = NULL;
	const struct allowed_root *root = allowed_find(f->allowed, path, &f->arena, &real);
	char kind;

	if (!root) {
		targets_unread(f->t, path, "it is not below a directory that --allow names");
		return;
	}
	f->top = root->top;
	f->skip = strlen(root->real) + (strcmp(root->real, "/") != 0);
	kind = below_kind(&f->top, inside(f, real), BELOW_NONE);
	if (kind == 'd')
		find_named_tree(f, real);
	else
		find_file(f, real, true, false);
}

void find_path(struct find *f, const char *path)
{
	struct span part = span_of(path);

	while (part.len > 1 && part.data[part.len - 1] == '/')
		part.len--;
	path = arena_text(&f->arena, part);
	if (f->allowed)
		look_at_allowed(f, path);
	else
		look_at(f, path);
}

void find_end(struct find *f)
{
	find_members_end(f);
	map_done(&f->seen);
	arena_done(&f->names);
	arena_done(&f->arena);
}
