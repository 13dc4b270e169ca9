#include "targets/find.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/debug.h"
#include "door/open-as-user.h"

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

	if (code->kind == CODE_NOTHING && !why)
		return false;
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
	const char *directory;
};

static const char *join(struct buf *b, const char *directory, const char *name)
{
	buf_addf(b, "%s%s%s", directory, directory[0] ? "/" : "", name);
	return b->data;
}

static int open_file(const char *path, int flags, struct stat *ret)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | flags);
	int r;

	if (fd < 0)
		return -errno;
	if (fstat(fd, ret) == 0)
		return fd;
	r = -errno;
	close(fd);
	return r;
}

static int open_beside(void *of, const char *relative, struct source *ret)
{
	const struct library_directory *b = of;
	struct buf path BUF_SCOPED = { 0 };
	struct stat st;
	int fd = open_file(join(&path, b->directory, relative), 0, &st);

	if (fd < 0)
		return fd;
	if (!S_ISREG(st.st_mode)) {
		close(fd);
		return -EINVAL;
	}
	*ret = source_file(fd, (uint64_t)st.st_size);
	return 0;
}

static void close_beside(void *of, struct source *s)
{
	(void)of;
	close(s->fd);
}

static int list_beside(void *of, const char *relative, struct arena *arena,
		       const char *const **ret_names, size_t *ret_count)
{
	const struct library_directory *b = of;
	struct buf path BUF_SCOPED = { 0 };
	struct dirent **entries;
	const char **names;
	int count = scandir(join(&path, b->directory, relative), &entries, NULL, alphasort);

	if (count < 0)
		return -errno;
	names = arena_alloc(arena, ((size_t)count + 1) * sizeof(*names));
	for (int i = 0; i < count; i++) {
		names[i] = arena_text(arena, span_of(entries[i]->d_name));
		free(entries[i]);
	}
	free(entries);
	*ret_names = names;
	*ret_count = (size_t)count;
	return 0;
}

/* ---- files ---- */

static bool read_code(struct find *f, const char *path, struct source *s, bool named)
{
	const char *slash = strrchr(path, '/');
	struct buf directory BUF_SCOPED = { 0 };
	struct library_directory beside;
	struct code_opener opener = { open_beside, close_beside, list_beside, &beside };
	struct arena_mark mark = arena_mark(&f->t->arena);
	struct code *code = arena_alloc(&f->t->arena, sizeof(*code));
	bool found;

	buf_span(&directory, slash ? (struct span){ path, (size_t)(slash - path) } : span_of("."));
	buf_text(&directory, slash == path ? "/" : "");
	beside.directory = directory.data;
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

static void find_file(struct find *f, const char *path, bool named, bool image)
{
	struct stat st;
	int fd;

	f->step(f->step_ctx, path);
	fd = open_file(path, named ? 0 : O_NOFOLLOW, &st);
	if (fd < 0) {
		targets_unread(f->t, path, strerror(-fd));
		return;
	}
	if (S_ISREG(st.st_mode) && (named || !is_seen(f, &st)))
		look_into(f, path, fd, &st, named, image);
	else if (named)
		targets_nothing(f->t, path, "is neither a file nor a directory");
	close(fd);
}

/* ---- directories of kernels ---- */

struct gathered {
	struct find *f;
	struct arena arena;
	struct kernels_file *files;
	size_t count;
};

static void gather(struct gathered *g, const char *path, const char *relative, unsigned int depth)
{
	struct dirent **entries;
	int count = scandir(path, &entries, NULL, alphasort);

	if (count < 0)
		targets_unread(g->f->t, path, strerror(errno));
	for (int i = 0; i < count; i++) {
		struct buf inside BUF_SCOPED = { 0 };
		struct buf below BUF_SCOPED = { 0 };
		const char *name = entries[i]->d_name;
		struct stat st;

		join(&inside, path, name);
		join(&below, relative, name);
		if (name[0] != '.' && lstat(inside.data, &st) == 0) {
			if (S_ISDIR(st.st_mode) && depth == DEPTH_MAX)
				targets_unread(g->f->t, inside.data, TOO_DEEP);
			else if (S_ISDIR(st.st_mode))
				gather(g, inside.data, below.data, depth + 1);
			else {
				g->files = arena_grow(&g->arena, g->files, g->count,
						      sizeof(*g->files));
				g->files[g->count++] = (struct kernels_file){
					arena_text(&g->arena, buf_get(&below)), (uint64_t)st.st_size
				};
			}
		}
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
}

static void find_kernels(struct find *f, const char *path, const char *kind)
{
	struct gathered g = { .f = f };
	struct library_directory beside = { path };
	struct kernels *k = arena_alloc(&f->t->arena, sizeof(*k));

	f->step(f->step_ctx, path);
	gather(&g, path, "", 0);
	kernels_read(kind, g.files, g.count, open_beside, close_beside, &beside, &f->t->arena, k);
	if (k->kind && (k->arch_count > 0 || k->problem_count > 0))
		targets_add(f->t, NULL, path)->kernels = k;
	arena_done(&g.arena);
}

/* ---- trees ---- */

/* No code lies there, and reading a file of sysfs can wake a GPU, or hang with it. */
static bool is_kernels_own(const char *path)
{
	struct statfs fs;

	return statfs(path, &fs) == 0 && as_user_is_kernels_own(fs.f_type);
}

static void find_tree(struct find *f, const char *path, bool image, unsigned int depth);

static void find_entry(struct find *f, const char *path, const struct dirent *entry, bool image,
		       unsigned int depth)
{
	struct buf inside BUF_SCOPED = { 0 };
	struct stat st;
	unsigned char type = entry->d_type;

	join(&inside, strcmp(path, "/") == 0 ? "" : path, entry->d_name);
	if (type == DT_UNKNOWN && lstat(inside.data, &st) == 0)
		type = S_ISDIR(st.st_mode) ? DT_DIR : S_ISREG(st.st_mode) ? DT_REG : DT_LNK;
	if (type == DT_DIR)
		find_tree(f, inside.data, image, depth + 1);
	else if (type == DT_REG && !find_is_unlikely(span_of(entry->d_name)))
		find_file(f, inside.data, false, image);
}

static void find_tree(struct find *f, const char *path, bool image, unsigned int depth)
{
	const char *kind = kernels_kind(span_of(path));
	struct buf layout BUF_SCOPED = { 0 };
	struct dirent **entries;
	struct stat st;
	int count;

	if (kind) {
		find_kernels(f, path, kind);
		return;
	}
	if (depth > DEPTH_MAX) {
		targets_unread(f->t, path, TOO_DEEP);
		return;
	}
	if (is_kernels_own(path))
		return;
	count = scandir(path, &entries, NULL, alphasort);
	if (count < 0) {
		targets_unread(f->t, path, strerror(errno));
		return;
	}
	image = image || stat(join(&layout, path, "oci-layout"), &st) == 0;
	for (int i = 0; i < count; i++) {
		if (strcmp(entries[i]->d_name, ".") != 0 && strcmp(entries[i]->d_name, "..") != 0)
			find_entry(f, path, entries[i], image, depth);
		free(entries[i]);
	}
	free(entries);
}

/* The kind of a directory is in its path, which the user may have shortened. */
static void find_named_tree(struct find *f, const char *path)
{
	char *whole = realpath(path, NULL);
	const char *kind = whole ? kernels_kind(span_of(whole)) : NULL;
	size_t before = f->t->row_count + f->t->unread_count;
	struct span part = span_of(path);
	const char *plain;

	while (part.len > 1 && part.data[part.len - 1] == '/')
		part.len--;
	plain = arena_text(&f->arena, part);
	if (kind)
		find_kernels(f, plain, kind);
	else
		find_tree(f, plain, false, 0);
	if (f->t->row_count + f->t->unread_count == before)
		targets_nothing(f->t, path, "no file in it holds device code");
	free(whole);
}

void find_path(struct find *f, const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0)
		targets_unread(f->t, path, strerror(errno));
	else if (S_ISDIR(st.st_mode))
		find_named_tree(f, path);
	else
		find_file(f, path, true, false);
}

void find_end(struct find *f)
{
	find_members_end(f);
	map_done(&f->seen);
	arena_done(&f->arena);
}
