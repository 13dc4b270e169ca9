#include "door/open-as-user.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include "base/debug.h"
#include "base/text.h"
#include "door/standing.h"

/* ---- in whose place ---- */

/* Another mount namespace is entered by its root directory, which only root may do. */
static int find_top(struct as_user *u)
{
	struct subject s;
	char path[64];

	if (u->door->kind != DOOR_LIVE) {
		u->top = u->door->top;
		return 0;
	}
	if (subject_read(u->door, &s) < 0)
		return DOOR_UNASKED;
	if (strcmp(s.process, "/proc/self") == 0 || subject_same_mounts(u->door, &s))
		return 0;
	if (geteuid() != 0)
		return DOOR_UNASKED;
	snprintf(path, sizeof(path), "%s/root", s.process);
	u->top = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	u->own_top = u->top >= 0;
	return u->top < 0 ? DOOR_UNASKED : 0;
}

int as_user_begin(struct door *d, struct as_user *ret)
{
	int r;

	*ret = (struct as_user){ .door = d, .top = -1 };
	r = find_top(ret);
	if (r < 0)
		return r;
	if (d->kind == DOOR_LIVE) {
		r = subject_wear(d, &ret->worn);
		ret->wears = r > 0;
	}
	if (r < 0) {
		as_user_end(ret);
		return DOOR_UNASKED;
	}
	return 0;
}

void as_user_end(struct as_user *u)
{
	if (u->wears)
		subject_take_off(&u->worn);
	if (u->own_top)
		close(u->top);
	*u = (struct as_user){ .top = -1 };
}

int as_user_path(struct span argument, char ret[static AS_USER_PATH_MAX])
{
	struct buf plain BUF_SCOPED = { 0 };

	if (!text_unword(&plain, argument) || plain.len < 2 || plain.len >= AS_USER_PATH_MAX ||
	    plain.data[0] != '/' || memchr(plain.data, '\0', plain.len))
		return -EINVAL;
	memcpy(ret, plain.data, plain.len + 1);
	return 0;
}

/* ---- looking before opening ---- */

static int open_at(struct as_user *u, const char *path, int flags)
{
	uint64_t began = DEBUG_NOW(DEBUG_DOOR);
	int fd;

	if (path[0] != '/')
		return -EINVAL; /* a pyvenv.cfg with "home = bin": not below where we happen to stand */
	u->looks++;
	beacon_step(u->door->beacon, path);
	if (u->door->stuck_count > 0 && door_is_stuck(u->door, span_of(path))) {
		DEBUG(DEBUG_DOOR, 0, "refuse %s: it lies where a path got no answer", path);
		return DOOR_SKIPPED;
	}
	fd = u->top < 0 ? open(path, flags | O_CLOEXEC)
			: door_open_below(u->top, path, flags | O_CLOEXEC);
	fd = fd < 0 ? -errno : fd;
	DEBUG(DEBUG_DOOR, began, "host open %s as the judged user: %s", path,
	      fd < 0 ? standing_error_name(fd) : "done");
	return fd;
}

bool as_user_is_kernels_own(long type)
{
	static const long types[] = { PROC_SUPER_MAGIC,    SYSFS_MAGIC,       DEBUGFS_MAGIC,
				      TRACEFS_MAGIC,       SECURITYFS_MAGIC,  CGROUP_SUPER_MAGIC,
				      CGROUP2_SUPER_MAGIC, BPF_FS_MAGIC,      SELINUX_MAGIC,
				      EFIVARFS_MAGIC,      DEVPTS_SUPER_MAGIC };

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (type == types[i])
			return true;
	return false;
}

/* A tree on a disk may well have a /proc of plain files; that is no kernel's. */
static bool is_plain(struct as_user *u, int fd, dev_t device)
{
	struct statfs fs;

	for (unsigned int i = 0; i < u->plain_count; i++)
		if (u->plain[i] == device)
			return true;
	if (fstatfs(fd, &fs) < 0 || as_user_is_kernels_own(fs.f_type))
		return false;
	if (u->plain_count < sizeof(u->plain) / sizeof(u->plain[0]))
		u->plain[u->plain_count++] = device;
	return true;
}

static int reopen(struct as_user *u, const char *path, int fd, const struct stat *st)
{
	struct stat now;
	int again = door_reopen(fd);

	if (again != -ENOENT)
		return again;
	again = open_at(u, path, O_RDONLY | O_NONBLOCK | O_NOCTTY); /* there is no /proc */
	if (again >= 0 &&
	    (fstat(again, &now) < 0 || now.st_dev != st->st_dev || now.st_ino != st->st_ino)) {
		close(again);
		return -ESTALE;
	}
	return again;
}

static int look(struct as_user *u, const char *path, mode_t kind, struct stat *ret)
{
	int fd = open_at(u, path, O_PATH);
	int error = 0;

	if (fd < 0)
		return fd;
	if (fstat(fd, ret) < 0)
		error = -errno;
	else if (kind && (ret->st_mode & S_IFMT) != kind)
		error = S_ISDIR(ret->st_mode) ? -EISDIR : kind == S_IFDIR ? -ENOTDIR : -EINVAL;
	else if (!is_plain(u, fd, ret->st_dev))
		error = -EXDEV;
	if (error == 0)
		return fd;
	close(fd);
	return error;
}

int as_user_open(struct as_user *u, const char *path, struct as_user_file *ret)
{
	struct stat st;
	int fd = look(u, path, S_IFREG, &st);
	int file;

	if (fd < 0)
		return fd;
	file = reopen(u, path, fd, &st);
	close(fd);
	if (file < 0)
		return file;
	*ret = (struct as_user_file){ .fd = file,
				      .size = (uint64_t)st.st_size,
				      .device = st.st_dev,
				      .inode = st.st_ino,
				      .beacon = u->door->beacon };
	return 0;
}

void as_user_close(struct as_user_file *f)
{
	if (f->fd >= 0)
		close(f->fd);
	f->fd = -1;
}

static int read_step(const struct source *s, uint64_t at, void *ret, size_t n)
{
	const struct as_user_file *f = s->of;
	struct source plain = source_file(f->fd, f->size);

	beacon_again(f->beacon);
	if (f->until_ms && beacon_past(f->until_ms))
		return -ETIME;
	return plain.read(&plain, at, ret, n);
}

struct source as_user_source(const struct as_user_file *f, uint64_t limit)
{
	return (struct source){
		.size = f->size, .limit = limit, .read = read_step, .of = f, .fd = f->fd
	};
}

int as_user_read(struct as_user *u, const char *path, size_t max, struct buf *ret)
{
	struct as_user_file f;
	struct source s;
	int64_t got;
	int error = as_user_open(u, path, &f);

	if (error < 0)
		return error;
	s = as_user_source(&f, 0);
	if (f.size > max)
		f.size = s.size = max;
	buf_room(ret, f.size + 1);
	got = source_some(&s, 0, ret->data + ret->len, f.size);
	as_user_close(&f);
	if (got < 0)
		return (int)got;
	ret->len += (size_t)got;
	ret->data[ret->len] = '\0';
	return 0;
}

int as_user_dir(struct as_user *u, const char *path)
{
	struct stat st;
	int fd = look(u, path, S_IFDIR, &st);
	int dir;

	if (fd < 0)
		return fd;
	dir = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC);
	dir = dir < 0 ? -errno : dir;
	close(fd);
	return dir;
}

bool as_user_is_below(struct as_user *u, int dir, const char *name)
{
	struct stat st;

	u->looks++;
	return fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT) == 0;
}

char as_user_kind(struct as_user *u, const char *path)
{
	struct stat st;
	int fd = look(u, path, 0, &st);

	if (fd < 0)
		return 0;
	close(fd);
	switch (st.st_mode & S_IFMT) {
	case S_IFDIR:
		return 'd';
	case S_IFREG:
		return '-';
	default:
		return '?';
	}
}

/* The path without links, of an open descriptor. */
static int name_of(struct as_user *u, int fd, char ret[static AS_USER_PATH_MAX])
{
	char self[48], top[AS_USER_PATH_MAX];
	ssize_t n, above = 0;

	snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
	n = readlink(self, ret, AS_USER_PATH_MAX - 1);
	if (n < 0)
		return -errno;
	ret[n] = '\0';
	if (u->top < 0)
		return ret[0] == '/' ? 0 : -EXDEV;
	snprintf(self, sizeof(self), "/proc/self/fd/%d", u->top);
	above = readlink(self, top, sizeof(top) - 1);
	if (above == 1) /* "/" */
		above = 0;
	if (above < 0 || above > n || memcmp(ret, top, (size_t)above) != 0)
		return -EXDEV;
	memmove(ret, ret + above, (size_t)(n - above) + 1);
	return ret[0] == '/' ? 0 : -EXDEV;
}

int as_user_real(struct as_user *u, const char *path, char ret[static AS_USER_PATH_MAX])
{
	struct stat st;
	int fd = look(u, path, 0, &st);
	int error;

	if (fd < 0)
		return fd;
	error = name_of(u, fd, ret);
	close(fd);
	return error;
}

int as_user_link(struct as_user *u, const char *path, char ret[static AS_USER_PATH_MAX])
{
	int fd = open_at(u, path, O_PATH | O_NOFOLLOW);
	ssize_t n;

	if (fd < 0)
		return fd;
	n = readlinkat(fd, "", ret, AS_USER_PATH_MAX - 1);
	close(fd);
	if (n < 0)
		return errno == ENOENT ? -EINVAL : -errno;
	ret[n] = '\0';
	return 0;
}
