#include "door/open-as-user.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include "base/text.h"
#include "door/standing.h"

/* ---- in whose place ---- */

/* Another mount namespace is entered by its root directory, which only root may do. */
static int find_top(struct reach *r)
{
	struct subject s;
	char path[64];

	if (r->door->kind != ROOT_LIVE) {
		r->top = r->door->top;
		return 0;
	}
	if (subject_read(r->door, &s) < 0)
		return ROOT_UNASKED;
	if (strcmp(s.process, "/proc/self") == 0 || subject_same_mounts(r->door, &s))
		return 0;
	if (geteuid() != 0)
		return ROOT_UNASKED;
	snprintf(path, sizeof(path), "%s/root", s.process);
	r->top = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	r->own_top = r->top >= 0;
	return r->top < 0 ? ROOT_UNASKED : 0;
}

int reach_begin(struct door *d, struct reach *ret)
{
	int r;

	*ret = (struct reach){ .door = d, .top = -1 };
	r = find_top(ret);
	if (r < 0)
		return r;
	if (d->kind == ROOT_LIVE) {
		r = subject_wear(d, &ret->worn);
		ret->wears = r > 0;
	}
	if (r < 0) {
		reach_end(ret);
		return ROOT_UNASKED;
	}
	return 0;
}

void reach_end(struct reach *r)
{
	if (r->wears)
		subject_take_off(&r->worn);
	if (r->own_top)
		close(r->top);
	*r = (struct reach){ .top = -1 };
}

int reach_path(struct span argument, char ret[static REACH_PATH_MAX])
{
	struct buf plain BUF_SCOPED = { 0 };

	if (!text_unword(&plain, argument) || plain.len < 2 || plain.len >= REACH_PATH_MAX ||
	    plain.data[0] != '/' || memchr(plain.data, '\0', plain.len))
		return -EINVAL;
	memcpy(ret, plain.data, plain.len + 1);
	return 0;
}

/* ---- looking before opening ---- */

static int open_at(struct reach *r, const char *path, int flags)
{
	int fd;

	r->looks++;
	beacon_step(r->door->beacon, path);
	if (r->door->stuck_count > 0 && door_is_stuck(r->door, span_of(path)))
		return ROOT_SKIPPED;
	fd = r->top < 0 ? open(path, flags | O_CLOEXEC)
			: door_open_below(r->top, path, flags | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

bool reach_is_kernels_own(long type)
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
static bool is_plain(struct reach *r, int fd, dev_t device)
{
	struct statfs fs;

	for (unsigned int i = 0; i < r->plain_count; i++)
		if (r->plain[i] == device)
			return true;
	if (fstatfs(fd, &fs) < 0 || reach_is_kernels_own(fs.f_type))
		return false;
	if (r->plain_count < sizeof(r->plain) / sizeof(r->plain[0]))
		r->plain[r->plain_count++] = device;
	return true;
}

/* The same file again, now for reading: through /proc no name can change under us. */
static int reopen(struct reach *r, const char *path, int fd, const struct stat *st)
{
	char self[48];
	struct stat now;
	int again;

	snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
	again = open(self, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (again >= 0)
		return again;
	if (errno != ENOENT)
		return -errno;
	again = open_at(r, path, O_RDONLY | O_NONBLOCK | O_NOCTTY); /* there is no /proc */
	if (again >= 0 &&
	    (fstat(again, &now) < 0 || now.st_dev != st->st_dev || now.st_ino != st->st_ino)) {
		close(again);
		return -ESTALE;
	}
	return again;
}

static int look(struct reach *r, const char *path, mode_t kind, struct stat *ret)
{
	int fd = open_at(r, path, O_PATH);
	int error = 0;

	if (fd < 0)
		return fd;
	if (fstat(fd, ret) < 0)
		error = -errno;
	else if (kind && (ret->st_mode & S_IFMT) != kind)
		error = S_ISDIR(ret->st_mode) ? -EISDIR : kind == S_IFDIR ? -ENOTDIR : -EINVAL;
	else if (!is_plain(r, fd, ret->st_dev))
		error = -EXDEV;
	if (error == 0)
		return fd;
	close(fd);
	return error;
}

int reach_open(struct reach *r, const char *path, struct reach_file *ret)
{
	struct stat st;
	int fd = look(r, path, S_IFREG, &st);
	int file;

	if (fd < 0)
		return fd;
	file = reopen(r, path, fd, &st);
	close(fd);
	if (file < 0)
		return file;
	*ret = (struct reach_file){ .fd = file,
				    .size = (uint64_t)st.st_size,
				    .device = st.st_dev,
				    .inode = st.st_ino,
				    .beacon = r->door->beacon };
	return 0;
}

void reach_close(struct reach_file *f)
{
	if (f->fd >= 0)
		close(f->fd);
	f->fd = -1;
}

static int read_step(const struct source *s, uint64_t at, void *ret, size_t n)
{
	const struct reach_file *f = s->of;
	struct source plain = source_file(f->fd, f->size);

	beacon_again(f->beacon);
	if (f->until_ms && beacon_now_ms() > f->until_ms)
		return -ETIME;
	return plain.read(&plain, at, ret, n);
}

struct source reach_source(const struct reach_file *f, uint64_t limit)
{
	return (struct source){
		.size = f->size, .limit = limit, .read = read_step, .of = f, .fd = f->fd
	};
}

int reach_read(struct reach *r, const char *path, size_t max, struct buf *ret)
{
	struct reach_file f;
	struct source s;
	int64_t got;
	int error = reach_open(r, path, &f);

	if (error < 0)
		return error;
	s = reach_source(&f, 0);
	if (f.size > max)
		f.size = s.size = max;
	buf_room(ret, f.size + 1);
	got = source_some(&s, 0, ret->data + ret->len, f.size);
	reach_close(&f);
	if (got < 0)
		return (int)got;
	ret->len += (size_t)got;
	ret->data[ret->len] = '\0';
	return 0;
}

int reach_dir(struct reach *r, const char *path)
{
	struct stat st;
	int fd = look(r, path, S_IFDIR, &st);
	int dir;

	if (fd < 0)
		return fd;
	dir = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC);
	dir = dir < 0 ? -errno : dir;
	close(fd);
	return dir;
}

char reach_kind(struct reach *r, const char *path)
{
	struct stat st;
	int fd = look(r, path, 0, &st);

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
static int name_of(struct reach *r, int fd, char ret[static REACH_PATH_MAX])
{
	char self[48], top[REACH_PATH_MAX];
	ssize_t n, above = 0;

	snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
	n = readlink(self, ret, REACH_PATH_MAX - 1);
	if (n < 0)
		return -errno;
	ret[n] = '\0';
	if (r->top < 0)
		return ret[0] == '/' ? 0 : -EXDEV;
	snprintf(self, sizeof(self), "/proc/self/fd/%d", r->top);
	above = readlink(self, top, sizeof(top) - 1);
	if (above == 1) /* "/" */
		above = 0;
	if (above < 0 || above > n || memcmp(ret, top, (size_t)above) != 0)
		return -EXDEV;
	memmove(ret, ret + above, (size_t)(n - above) + 1);
	return ret[0] == '/' ? 0 : -EXDEV;
}

int reach_real(struct reach *r, const char *path, char ret[static REACH_PATH_MAX])
{
	struct stat st;
	int fd = look(r, path, 0, &st);
	int error;

	if (fd < 0)
		return fd;
	error = name_of(r, fd, ret);
	close(fd);
	return error;
}

int reach_link(struct reach *r, const char *path, char ret[static REACH_PATH_MAX])
{
	int fd = open_at(r, path, O_PATH | O_NOFOLLOW);
	ssize_t n;

	if (fd < 0)
		return fd;
	n = readlinkat(fd, "", ret, REACH_PATH_MAX - 1);
	close(fd);
	if (n < 0)
		return errno == ENOENT ? -EINVAL : -errno;
	ret[n] = '\0';
	return 0;
}
