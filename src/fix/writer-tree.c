#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/text.h"
#include "fix/writer-path.h"

#define DEPTH_MAX 40

/* ---- names, sorted as bytes ---- */

struct sorted_names {
	struct arena arena;
	const char **list;
	size_t count, room;
};

static void add_name(struct sorted_names *n, const char *name)
{
	if (n->count == n->room) {
		const char **more = arena_alloc(&n->arena, sizeof(*more) * (2 * n->room + 64));

		if (n->count > 0)
			memcpy(more, n->list, sizeof(*more) * n->count);
		n->list = more;
		n->room = 2 * n->room + 64;
	}
	n->list[n->count++] = arena_text(&n->arena, span_of(name));
}

static int by_bytes(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int read_names(int fd, struct sorted_names *ret)
{
	DIR *dir = fdopendir(fd);
	struct dirent *entry;
	int r;

	if (!dir) {
		r = -errno;
		close(fd);
		return r;
	}
	while ((void)(errno = 0), (entry = readdir(dir)))
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			add_name(ret, entry->d_name);
	r = -errno;
	closedir(dir);
	if (r < 0)
		return r; /* what is not seen might be somebody's */
	if (ret->count > 1)
		qsort(ret->list, ret->count, sizeof(*ret->list), by_bytes);
	return 0;
}

static int open_below(int at, const char *name)
{
	int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

static int open_top(const struct writer *w, const char *path)
{
	const char *name;
	int at = writer_walk(w, path, &name);
	int fd = at < 0 ? at : open_below(at, name);

	if (at >= 0)
		close(at);
	return fd;
}

int writer_list(const struct writer *w, const char *path, struct buf *ret)
{
	struct sorted_names names = { 0 };
	int fd = open_top(w, path);
	int r = fd < 0 ? fd : read_names(fd, &names);

	for (size_t i = 0; i < names.count; i++)
		buf_addf(ret, "%s\n", names.list[i]);
	arena_done(&names.arena);
	return r;
}

/* ---- all below a directory ---- */

/* Python makes these beside files that are ours, whenever they are used. */
static bool is_passing(const char *path)
{
	return span_ends(span_of(path), ".pyc") || span_ends(span_of(path), "/__pycache__");
}

static void note(struct buf *ret, const char *path, const struct stat *st)
{
	bool file = S_ISREG(st->st_mode);

	buf_addf(ret, "%c %o %llu %lld.%09ld ",
		 file                   ? 'f'
		 : S_ISDIR(st->st_mode) ? 'd'
		 : S_ISLNK(st->st_mode) ? 'l'
					: '?',
		 (unsigned int)st->st_mode & 07777, file ? (unsigned long long)st->st_size : 0ULL,
		 file ? (long long)st->st_mtim.tv_sec : 0LL, file ? st->st_mtim.tv_nsec : 0L);
	text_word(ret, span_of(path));
	buf_char(ret, '\n');
}

static int survey(int fd, const char *path, int depth, struct buf *ret)
{
	struct sorted_names names = { 0 };
	int again = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	int r = again < 0 ? -errno : depth > DEPTH_MAX ? -ELOOP : read_names(again, &names);

	for (size_t i = 0; r == 0 && i < names.count; i++) {
		struct buf below BUF_SCOPED = { 0 };
		struct stat st;
		int next;

		buf_addf(&below, "%s/%s", path, names.list[i]);
		if (fstatat(fd, names.list[i], &st, AT_SYMLINK_NOFOLLOW) < 0) {
			r = -errno;
			break;
		}
		if (is_passing(below.data) && !S_ISDIR(st.st_mode))
			continue;
		if (!is_passing(below.data))
			note(ret, below.data, &st);
		if (!S_ISDIR(st.st_mode))
			continue;
		next = open_below(fd, names.list[i]);
		r = next < 0 ? next : survey(next, below.data, depth + 1, ret);
		if (next >= 0)
			close(next);
	}
	arena_done(&names.arena);
	return r;
}

int writer_list_tree(const struct writer *w, const char *path, struct buf *ret)
{
	int fd = open_top(w, path);
	int r = fd < 0 ? fd : survey(fd, "", 0, ret);

	if (fd >= 0)
		close(fd);
	return r;
}

static int empty(int fd, int depth)
{
	struct sorted_names names = { 0 };
	int again = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	int r = again < 0 ? -errno : depth > DEPTH_MAX ? -ELOOP : read_names(again, &names);

	for (size_t i = 0; r == 0 && i < names.count; i++) {
		int next;

		if (unlinkat(fd, names.list[i], 0) == 0)
			continue;
		next = open_below(fd, names.list[i]);
		r = next < 0 ? next : empty(next, depth + 1);
		if (next >= 0)
			close(next);
		if (r == 0 && unlinkat(fd, names.list[i], AT_REMOVEDIR) < 0)
			r = -errno;
	}
	arena_done(&names.arena);
	return r;
}

int writer_remove_tree(const struct writer *w, const char *path)
{
	int r = -ENOTEMPTY;

	/* Something that was started and cut off may still add a file. */
	for (int tries = 0; r == -ENOTEMPTY && tries < 5; tries++) {
		int fd = open_top(w, path);

		r = fd == -ENOENT ? 0 : fd < 0 ? fd : empty(fd, 0);
		if (fd >= 0)
			close(fd);
		if (r == 0)
			r = writer_remove_dir(w, path);
	}
	return r;
}

int writer_move_dir(const struct writer *w, const char *from, const char *to)
{
	const char *old;
	int at = writer_walk(w, from, &old);
	const char *name = strrchr(to, '/') + 1;
	int r = at < 0 ? at : 0;

	if (at < 0)
		return r;
	if (renameat2(at, old, at, name, RENAME_NOREPLACE) < 0)
		r = -errno;
	/* Without RENAME_NOREPLACE: renameat() replaces at most an empty directory. */
	if (r == -EINVAL || r == -ENOSYS)
		r = renameat(at, old, at, name) < 0 ? -errno : 0;
	close(at);
	return r == -ENOTEMPTY || r == -ENOTDIR ? -EEXIST : r;
}
