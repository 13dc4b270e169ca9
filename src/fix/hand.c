#include "fix/hand.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#include "fix/hand-way.h"

#define LABEL "security.selinux"

int hand_open(const char *dir, struct hand *ret)
{
	int fd = open(dir ? dir : "/", O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	*ret = (struct hand){ .root = fd,
			      .prefix = dir ? dir : "",
			      .strict = dir || geteuid() == 0 };
	return 0;
}

void hand_close(struct hand *h)
{
	close(h->root);
}

unsigned int hand_user(void)
{
	return geteuid();
}

int64_t hand_now(void)
{
	return time(NULL);
}

int hand_key(char ret[HAND_KEY])
{
	uint64_t n;

	if (getrandom(&n, sizeof(n), 0) != (ssize_t)sizeof(n))
		return -EIO;
	snprintf(ret, HAND_KEY, "%016llx", (unsigned long long)n);
	return 0;
}

/* ---- the way to a name ---- */

static int step_into(const struct hand *h, int at, struct span name)
{
	char one[NAME_MAX + 1];
	int fd;

	if (name.len == 0 || name.len > NAME_MAX || span_is(name, ".") || span_is(name, ".."))
		return -EINVAL;
	memcpy(one, name.data, name.len);
	one[name.len] = '\0';
	fd = openat(at, one, O_PATH | O_DIRECTORY | O_CLOEXEC | (h->strict ? O_NOFOLLOW : 0));
	if (fd >= 0)
		return fd;
	/* O_DIRECTORY makes ENOTDIR of a link that is not followed. */
	return h->strict && errno == ENOTDIR && readlinkat(at, one, (char[1]){ 0 }, 1) >= 0
		       ? -ELOOP
		       : -errno;
}

int hand_walk(const struct hand *h, const char *path, const char **ret_name)
{
	const char *slash = strrchr(path, '/');
	struct span rest, name;
	int fd = fcntl(h->root, F_DUPFD_CLOEXEC, 3);

	if (fd < 0)
		return -errno;
	if (path[0] != '/' || slash[1] == '\0') {
		close(fd);
		return -EINVAL;
	}
	rest = (struct span){ path + 1, slash > path ? (size_t)(slash - path - 1) : 0 };
	while (fd >= 0 && span_cut(&rest, '/', &name)) {
		int next;

		if (name.len == 0)
			continue;
		next = step_into(h, fd, name);
		close(fd);
		fd = next;
	}
	*ret_name = slash + 1;
	return fd;
}

/* An O_PATH descriptor cannot be synced. */
static int sync_directory(int at)
{
	int fd = openat(at, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int r = fd < 0 ? -errno : fsync(fd) < 0 ? -errno : 0;

	if (fd >= 0)
		close(fd);
	return r;
}

/* ---- looking ---- */

static char kind_of(mode_t mode)
{
	return S_ISREG(mode) ? 'f' : S_ISDIR(mode) ? 'd' : '?';
}

static int read_all(int at, const char *name, struct buf *ret)
{
	int fd = openat(at, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	ssize_t n = 1;

	if (fd < 0)
		return -errno;
	while (n > 0 && ret->len <= HAND_FILE_MAX) {
		buf_room(ret, 65536);
		n = read(fd, ret->data + ret->len, 65536);
		ret->len += n > 0 ? (size_t)n : 0;
	}
	n = n < 0 ? -errno : 0;
	close(fd);
	return n < 0 ? (int)n : ret->len > HAND_FILE_MAX ? -EFBIG : 0;
}

static struct hand_state state_of(const struct stat *st)
{
	return (struct hand_state){ .kind = kind_of(st->st_mode),
				    .mode = st->st_mode & 07777,
				    .uid = st->st_uid,
				    .gid = st->st_gid,
				    .mtime_s = st->st_mtim.tv_sec,
				    .mtime_ns = st->st_mtim.tv_nsec,
				    .size = (uint64_t)st->st_size };
}

int hand_look_root(const struct hand *h, struct hand_state *ret)
{
	struct stat st;

	if (fstat(h->root, &st) < 0)
		return -errno;
	*ret = state_of(&st);
	return 0;
}

int hand_look(const struct hand *h, const char *path, struct hand_state *ret, struct buf *bytes)
{
	const char *name;
	struct stat st;
	int at = hand_walk(h, path, &name);
	int r = 0;

	if (at == -ENOENT) {
		*ret = (struct hand_state){ .kind = '-' };
		return 0;
	}
	if (at < 0)
		return at;
	if (fstatat(at, name, &st, AT_SYMLINK_NOFOLLOW) < 0) {
		r = errno == ENOENT ? 0 : -errno;
		close(at);
		if (r == 0)
			*ret = (struct hand_state){ .kind = '-' };
		return r;
	}
	if (S_ISREG(st.st_mode) && bytes)
		r = read_all(at, name, bytes);
	close(at);
	if (r == 0)
		*ret = state_of(&st);
	return r;
}

/* ---- writing ---- */

static int write_all(int fd, struct span bytes)
{
	while (bytes.len > 0) {
		ssize_t n = write(fd, bytes.data, bytes.len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		bytes.data += n;
		bytes.len -= (size_t)n;
	}
	return 0;
}

/* As far as we may: who is not root cannot give files away, and need not. */
static int dress(int fd, int at, const char *name, const struct hand_state *as)
{
	struct timespec times[2] = { { .tv_nsec = UTIME_OMIT },
				     { .tv_sec = as->mtime_s, .tv_nsec = as->mtime_ns } };
	char label[256];
	int old = openat(at, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	ssize_t n = old < 0 ? -1 : fgetxattr(old, LABEL, label, sizeof(label));

	if (n > 0)
		(void)!fsetxattr(fd, LABEL, label, (size_t)n, 0);
	if (old >= 0)
		close(old);
	if (geteuid() == 0 && fchown(fd, as->uid, as->gid) < 0)
		return -errno;
	if (fchmod(fd, as->mode) < 0 || futimens(fd, times) < 0)
		return -errno;
	return 0;
}

/* A file beside the name, whole and on the disk. */
static int write_beside(int at, const char *name, const char *temp, struct span bytes,
			unsigned int mode, const struct hand_state *as)
{
	int fd, r;

	if (unlinkat(at, temp, 0) < 0 && errno != ENOENT)
		return -errno;
	fd = openat(at, temp, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return -errno;
	r = write_all(fd, bytes);
	if (r == 0)
		r = as ? dress(fd, at, name, as) : fchmod(fd, mode) < 0 ? -errno : 0;
	if (r == 0 && fsync(fd) < 0)
		r = -errno;
	if (close(fd) < 0 && r == 0)
		r = -errno;
	if (r < 0)
		unlinkat(at, temp, 0);
	return r;
}

/* Not every file system can rename without replacing; every one that matters can link. */
static int settle(int at, const char *temp, const char *name)
{
	if (renameat2(at, temp, at, name, RENAME_NOREPLACE) == 0)
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return -errno;
	return linkat(at, temp, at, name, 0) < 0 ? -errno : unlinkat(at, temp, 0) < 0 ? -errno : 0;
}

/* With `as` a file as it was, in the place of what is there; without, one where none is. */
static int put(const struct hand *h, const char *path, const char *temp, struct span bytes,
	       unsigned int mode, const struct hand_state *as)
{
	const char *name;
	int at = hand_walk(h, path, &name);
	int r = at < 0 ? at : write_beside(at, name, temp, bytes, mode, as);

	if (r == 0) {
		r = !as ? settle(at, temp, name) : renameat(at, temp, at, name) < 0 ? -errno : 0;
		if (r < 0)
			unlinkat(at, temp, 0);
	}
	if (r == 0)
		r = sync_directory(at);
	if (at >= 0)
		close(at);
	return r;
}

int hand_create(const struct hand *h, const char *path, const char *temp, struct span bytes,
		unsigned int mode)
{
	return put(h, path, temp, bytes, mode, NULL);
}

int hand_restore(const struct hand *h, const char *path, const char *temp, struct span bytes,
		 const struct hand_state *as)
{
	return put(h, path, temp, bytes, as->mode, as);
}

int hand_append(const struct hand *h, const char *path, struct span bytes)
{
	const char *name;
	int at = hand_walk(h, path, &name);
	int fd = at < 0 ? -1 : openat(at, name, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC);
	int r = at < 0 ? at : fd < 0 ? -errno : write_all(fd, bytes);

	if (r == 0 && fsync(fd) < 0)
		r = -errno;
	if (fd >= 0)
		close(fd);
	if (at >= 0)
		close(at);
	return r;
}

static int take_away(const struct hand *h, const char *path, int flags)
{
	const char *name;
	int at = hand_walk(h, path, &name);
	int r = at == -ENOENT ? 0 : at;

	if (at < 0)
		return r;
	if (unlinkat(at, name, flags) < 0)
		r = errno == ENOENT ? 0 : -errno;
	else
		r = sync_directory(at);
	close(at);
	return r;
}

int hand_remove(const struct hand *h, const char *path)
{
	return take_away(h, path, 0);
}

int hand_remove_dir(const struct hand *h, const char *path)
{
	return take_away(h, path, AT_REMOVEDIR);
}

int hand_make_dir(const struct hand *h, const char *path, unsigned int mode)
{
	const char *name;
	int at = hand_walk(h, path, &name);
	int r = at;

	if (at < 0)
		return r;
	r = mkdirat(at, name, mode) < 0 ? -errno : sync_directory(at);
	close(at);
	return r;
}

int hand_give(const struct hand *h, const char *path)
{
	const char *name;
	struct stat st;
	int at, r;

	if (!h->prefix[0] || geteuid() != 0)
		return 0;
	at = hand_walk(h, path, &name);
	if (at < 0)
		return at;
	r = fstat(at, &st) < 0 ? -errno : 0;
	if (r == 0 && fchownat(at, name, st.st_uid, st.st_gid, AT_SYMLINK_NOFOLLOW) < 0)
		r = -errno;
	close(at);
	return r;
}
