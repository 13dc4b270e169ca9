/*
 * The content of a directory of libraries on a machine with Windows, and of a directory
 * of kernels for each GPU: the answers of src/survey, of names that are listed here.
 */

#include <ctype.h>
#include <errno.h>
#include <io.h>
#include <string.h>

#include "base/text.h"
#include "code/kernel-directories.h"
#include "code/kernels.h"
#include "files.h"
#include "survey/ask-kernels.h"
#include "survey/ask-libraries.h"
#include "survey/rocm-library.h"
#include "wide.h"

#define LIBRARIES_MAX 400
#define NAMES_MAX     20000
#define LEVELS_MAX    3
#define SMALL_MAX     64
#define INDEX_MAX     ((uint64_t)32 << 20)

static void line(struct buf *ret, const char *key, const char *path)
{
	buf_addf(ret, "%s ", key);
	text_word(ret, span_of(path));
	buf_char(ret, '\n');
}

static void write_kernel_dirs(const char *dir, struct arena *a, struct buf *ret)
{
	size_t count;
	const struct kernel_directory *rows = kernel_directories(&count);

	for (size_t i = 0; i < count; i++) {
		const char *path = arena_format(a, "%s/%.*s", dir, (int)rows[i].ending.len,
						rows[i].ending.data);

		if (rows[i].place == KERNEL_DIRECTORY_LIB && !rows[i].versioned &&
		    file_is_there(path))
			line(ret, "kernels", path);
	}
}

static void write_libraries(const char *dir, struct arena *a, struct buf *ret)
{
	struct buf version BUF_SCOPED = { 0 };
	struct file_name *names;
	size_t count = file_names(dir, NAMES_MAX, a, &names);
	unsigned int written = 0;

	line(ret, "dir", dir);
	if (file_read(arena_format(a, "%s/../.info/version", dir), SMALL_MAX, &version) == 0) {
		buf_text(ret, "version ");
		text_word(ret, span_trim(buf_get(&version)));
		buf_char(ret, '\n');
	}
	for (size_t i = 0; i < count && written < LIBRARIES_MAX; i++) {
		if (names[i].is_dir || !rocm_library(span_of(names[i].name)))
			continue;
		written++;
		buf_text(ret, "library ");
		text_word(ret, span_of(names[i].name));
		buf_addf(ret, " %llu\n", (unsigned long long)names[i].size);
	}
	if (written == LIBRARIES_MAX)
		buf_addf(ret, "problem more than %d libraries\n", LIBRARIES_MAX);
	if (written > 0)
		write_kernel_dirs(dir, a, ret);
}

int ask_libraries(struct door *d, struct span argument, struct buf *ret)
{
	struct buf dir BUF_SCOPED = { 0 };
	struct arena a = { 0 };

	(void)d;
	if (!text_unword(&dir, argument))
		return -EINVAL;
	if (!file_is_there(dir.data))
		return -ENOENT;
	write_libraries(dir.data, &a, ret);
	arena_done(&a);
	return 0;
}

/* ---- kernels ---- */

struct kernel_files {
	const char *dir;
	struct arena arena;
	struct kernels_file *files;
	size_t count;
};

/* Files below a directory, by names relative to the first one. */
static void gather(struct kernel_files *k, const char *below, unsigned int levels)
{
	const char *slash = below[0] ? "/" : "";
	struct file_name *names;
	size_t count = file_names(arena_format(&k->arena, "%s%s%s", k->dir, slash, below),
				  NAMES_MAX, &k->arena, &names);

	for (size_t i = 0; i < count && k->count < NAMES_MAX; i++) {
		const char *name = arena_format(&k->arena, "%s%s%s", below, slash, names[i].name);

		if (names[i].is_link)
			continue;
		if (names[i].is_dir) {
			if (levels > 0)
				gather(k, name, levels - 1);
			continue;
		}
		k->files = arena_grow(&k->arena, k->files, k->count, sizeof(*k->files));
		k->files[k->count++] = (struct kernels_file){ name, names[i].size };
	}
}

static int open_index(void *of, const char *name, struct source *ret)
{
	struct kernel_files *k = of;
	uint64_t size;
	int fd = file_open(arena_format(&k->arena, "%s/%s", k->dir, name), &size);

	if (fd < 0)
		return fd;
	*ret = source_file(fd, size);
	ret->limit = INDEX_MAX;
	return 0;
}

static void close_index(void *of, struct source *s)
{
	(void)of;
	_close(s->fd);
}

int ask_kernels(struct door *d, struct span argument, struct buf *ret)
{
	struct buf dir BUF_SCOPED = { 0 };
	struct kernel_files k = { 0 };
	struct kernels kernels;
	const char *kind;

	(void)d;
	if (!text_unword(&dir, argument))
		return -EINVAL;
	kind = kernels_kind(buf_get(&dir));
	if (!kind)
		return -EINVAL; /* a directory that is none of ours is not listed */
	if (!file_is_there(dir.data))
		return -ENOENT;
	k.dir = dir.data;
	gather(&k, "", LEVELS_MAX);
	kernels_read(kind, k.files, k.count, open_index, close_index, &k, &k.arena, &kernels);
	kernels_write(&kernels, ret);
	if (k.count == NAMES_MAX)
		line(ret, "left many", k.dir);
	arena_done(&k.arena);
	return 0;
}
