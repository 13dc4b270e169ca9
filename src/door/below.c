#include "door/below.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "door/door.h"
#include "door/open-as-user.h"

#define FOR_READING (O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)

static int open_at(const struct below *b, const char *path, enum below_links links, int flags)
{
	const char *name = path[0] ? path : ".";
	int fd = links == BELOW_ANY ? openat(b->fd, name, flags)
				    : door_open_inside(b->fd, name, flags, links == BELOW_INSIDE);

	return fd < 0 ? -errno : fd;
}

int below_open(const char *name, struct below *ret)
{
	int fd = open(name, O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	*ret = (struct below){ fd, name };
	return 0;
}

int below_open_parent(const char *name, struct below *ret)
{
	return below_open(name, ret);
}

int below_open_real(const char *name, struct below *ret)
{
	struct below top = { .fd = -1 };
	int r = below_open("/", &top);

	if (r < 0)
		return r;
	r = open_at(&top, name + strspn(name, "/"), BELOW_NONE, O_PATH | O_DIRECTORY | O_CLOEXEC);
	below_close(&top);
	if (r < 0)
		return r;
	*ret = (struct below){ r, name };
	return 0;
}

int below_above(const struct below *b, unsigned int levels, struct below *ret)
{
	int at = openat(b->fd, ".", O_PATH | O_DIRECTORY | O_CLOEXEC), next;

	for (; at >= 0 && levels > 0; levels--) {
		next = openat(at, "..", O_PATH | O_DIRECTORY | O_CLOEXEC);
		close(at);
		at = next;
	}
	if (at < 0)
		return -errno;
	*ret = (struct below){ at, b->name };
	return 0;
}

void below_close(struct below *b)
{
	if (b->fd >= 0)
		close(b->fd);
	b->fd = -1;
}

/* ---- files ---- */

static int look(const struct below *b, const char *path, enum below_links links, struct stat *ret)
{
	int fd = open_at(b, path, links,
			 O_PATH | O_CLOEXEC | (links == BELOW_NONE ? O_NOFOLLOW : 0));
	int r = fd;

	if (fd < 0)
		return fd;
	if (fstat(fd, ret) < 0)
		r = -errno;
	else if (S_ISLNK(ret->st_mode)) /* with O_PATH and O_NOFOLLOW the link itself is opened */
		r = -ELOOP;
	if (r < 0)
		close(fd);
	return r;
}

/* Without /proc the name is opened again, and must still be the same file. */
static int open_again(const struct below *b, const char *path, enum below_links links, int fd,
		      const struct stat *st)
{
	struct stat now;
	int again = door_reopen(fd);

	if (again != -ENOENT)
		return again;
	again = open_at(b, path, links, FOR_READING | (links == BELOW_NONE ? O_NOFOLLOW : 0));
	if (again >= 0 &&
	    (fstat(again, &now) < 0 || now.st_dev != st->st_dev || now.st_ino != st->st_ino)) {
		close(again);
		return -ESTALE;
	}
	return again;
}

int below_file(const struct below *b, const char *path, enum below_links links, struct stat *ret)
{
	int fd = look(b, path, links, ret);
	int r;

	if (fd < 0)
		return fd;
	if (S_ISREG(ret->st_mode))
		r = open_again(b, path, links, fd, ret);
	else
		r = S_ISDIR(ret->st_mode) ? -EISDIR : -EINVAL;
	close(fd);
	return r;
}

static char kind_of(mode_t mode)
{
	return S_ISDIR(mode) ? 'd' : S_ISREG(mode) ? '-' : S_ISLNK(mode) ? 'l' : '?';
}

char below_kind(const struct below *b, const char *path, enum below_links links)
{
	struct stat st;
	int fd = look(b, path, links, &st);

	if (fd < 0)
		return 0;
	close(fd);
	return kind_of(st.st_mode);
}

/* ---- directories ---- */

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct below_name *)a)->name, ((const struct below_name *)b)->name);
}

static struct below_name name_of(int dir, const struct dirent *e, bool sized, struct arena *arena)
{
	struct below_name one = { .name = arena_text(arena, span_of(e->d_name)) };
	unsigned char type = e->d_type;
	struct stat st;

	one.kind = type == DT_DIR ? 'd' : type == DT_REG ? '-' : type == DT_LNK ? 'l' : '?';
	if ((sized && type != DT_DIR) || type == DT_UNKNOWN) {
		if (fstatat(dir, e->d_name, &st, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT) == 0) {
			one.kind = kind_of(st.st_mode);
			one.size = (uint64_t)st.st_size;
		}
	}
	return one;
}

int below_names(const struct below *b, const char *path, enum below_links links, bool sized,
		struct arena *arena, struct below_name **ret, size_t *ret_count)
{
	struct below_name *names = NULL;
	struct dirent *e;
	struct statfs fs;
	size_t count = 0;
	DIR *d;
	int fd = open_at(b, path, links, FOR_READING | O_DIRECTORY);

	if (fd < 0)
		return fd;
	/* Reading a file of sysfs can wake a GPU, or hang with it. */
	if (fstatfs(fd, &fs) == 0 && as_user_is_kernels_own(fs.f_type)) {
		close(fd);
		return -ENOTSUP;
	}
	d = door_dir(fd);
	while (d && (e = readdir(d))) {
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		names = arena_grow(arena, names, count, sizeof(*names));
		names[count++] = name_of(dirfd(d), e, sized, arena);
	}
	if (d)
		closedir(d);
	if (count > 0)
		qsort(names, count, sizeof(*names), by_name);
	*ret = names;
	*ret_count = count;
	return d ? 0 : -ENOMEM;
}
