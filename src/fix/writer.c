#include "fix/writer.h"

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

#include "base/fd.h"
#include "door/atomic-file.h"
#include "fix/writer-path.h"

#define LABEL "security.selinux"

int writer_open(const char *dir, struct writer *ret)
{
	int fd = open(dir ? dir : "/", O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	*ret = (struct writer){ .root = fd,
				.prefix = dir ? dir : "",
				.strict = dir || geteuid() == 0 };
	return 0;
}

void writer_close(struct writer *w)
{
	close(w->root);
}

unsigned int writer_user(void)
{
	return geteuid();
}

int64_t writer_now(void)
{
	return time(NULL);
}

int writer_key(char ret[WRITER_KEY])
{
	uint64_t n;

	if (getrandom(&n, sizeof(n), 0) != (ssize_t)sizeof(n))
		return -EIO;
	snprintf(ret, WRITER_KEY, "%016llx", (unsigned long long)n);
	return 0;
}

/* ---- the way to a name ---- */

static bool is_relative(struct span name)
{
	return span_is(name, ".") || span_is(name, "..");
}

static int step_into(const struct writer *w, int at, struct span name)
{
	char one[NAME_MAX + 1];
	int fd;

	if (is_relative(name))
		return -ENOTUNIQ;
	if (name.len == 0 || name.len > NAME_MAX)
		return -ENAMETOOLONG;
	memcpy(one, name.data, name.len);
	one[name.len] = '\0';
	fd = openat(at, one, O_PATH | O_DIRECTORY | O_CLOEXEC | (w->strict ? O_NOFOLLOW : 0));
	if (fd >= 0)
		return fd;
	/* O_DIRECTORY makes ENOTDIR of a link that is not followed. */
	return w->strict && errno == ENOTDIR && readlinkat(at, one, (char[1]){ 0 }, 1) >= 0
		       ? -ELOOP
		       : -errno;
}

int writer_walk(const struct writer *w, const char *path, const char **ret_name)
{
	const char *slash = strrchr(path, '/');
	struct span rest, name;
	int fd = fcntl(w->root, F_DUPFD_CLOEXEC, 3);

	if (fd < 0)
		return -errno;
	if (path[0] != '/' || slash[1] == '\0') {
		close(fd);
		return -EINVAL;
	}
	if (is_relative(span_of(slash + 1))) {
		close(fd);
		return -ENOTUNIQ;
	}
	rest = (struct span){ path + 1, slash > path ? (size_t)(slash - path - 1) : 0 };
	while (fd >= 0 && span_cut(&rest, '/', &name)) {
		int next;

		if (name.len == 0)
			continue;
		next = step_into(w, fd, name);
		close(fd);
		fd = next;
	}
	*ret_name = slash + 1;
	return fd;
}

/* ---- looking ---- */

static struct writer_state state_of(const struct stat *st)
{
	return (struct writer_state){ .kind = S_ISREG(st->st_mode)   ? 'f'
					      : S_ISDIR(st->st_mode) ? 'd'
								     : '?',
				      .mode = st->st_mode & 07777,
				      .uid = st->st_uid,
				      .gid = st->st_gid,
				      .mtime_s = st->st_mtim.tv_sec,
				      .mtime_ns = st->st_mtim.tv_nsec,
				      .size = (uint64_t)st->st_size,
				      .links = (unsigned int)st->st_nlink };
}

int writer_look_root(const struct writer *w, struct writer_state *ret)
{
	struct stat st;

	if (fstat(w->root, &st) < 0)
		return -errno;
	*ret = state_of(&st);
	return 0;
}

int writer_look(const struct writer *w, const char *path, struct writer_state *ret,
		struct buf *bytes)
{
	const char *name;
	struct stat st;
	int at = writer_walk(w, path, &name);
	int r = 0;

	if (at == -ENOENT) {
		*ret = (struct writer_state){ .kind = '-' };
		return 0;
	}
	if (at < 0)
		return at;
	if (fstatat(at, name, &st, AT_SYMLINK_NOFOLLOW) < 0) {
		r = errno == ENOENT ? 0 : -errno;
		close(at);
		if (r == 0)
			*ret = (struct writer_state){ .kind = '-' };
		return r;
	}
	if (S_ISREG(st.st_mode) && bytes) {
		int fd = openat(at, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

		r = fd < 0 ? -errno : fd_all(fd, WRITER_FILE_MAX, bytes);
	}
	close(at);
	if (r == 0)
		*ret = state_of(&st);
	return r;
}

/* ---- writing ---- */

/* As far as we may: who is not root cannot give files away, and need not. */
static int dress(int fd, int at, const char *name, const struct writer_state *as)
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

/* With `as` a file as it was, in the place of what is there; without, one where none is. */
static int put(const struct writer *w, const char *path, const char *temp, struct span bytes,
	       unsigned int mode, const struct writer_state *as)
{
	struct atomic_file f;
	const char *name;
	int at = writer_walk(w, path, &name);
	int r = at < 0 ? at : atomic_file_begin(at, temp, &f);

	if (r == 0) {
		r = fd_write(f.fd, bytes);
		if (r == 0)
			r = as ? dress(f.fd, at, name, as) : fchmod(f.fd, mode) < 0 ? -errno : 0;
		r = atomic_file_end(&f, r);
	}
	if (r == 0) {
		r = atomic_file_rename(&f, name, as != NULL);
		if (r < 0)
			atomic_file_drop(&f);
	}
	if (r == 0)
		r = atomic_file_sync(at);
	if (at >= 0)
		close(at);
	return r;
}

int writer_create(const struct writer *w, const char *path, const char *temp, struct span bytes,
		  unsigned int mode)
{
	return put(w, path, temp, bytes, mode, NULL);
}

int writer_restore(const struct writer *w, const char *path, const char *temp, struct span bytes,
		   const struct writer_state *as)
{
	return put(w, path, temp, bytes, as->mode, as);
}

int writer_append(const struct writer *w, const char *path, struct span bytes)
{
	const char *name;
	int at = writer_walk(w, path, &name);
	int fd = at < 0 ? -1 : openat(at, name, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC);
	struct stat st = { 0 };
	int r = at < 0 ? at : fd < 0 || fstat(fd, &st) < 0 ? -errno : 0;

	if (r == 0)
		r = st.st_nlink > 1 ? -EMLINK : fd_write(fd, bytes);
	if (r == 0 && fsync(fd) < 0)
		r = -errno;
	if (fd >= 0)
		close(fd);
	if (at >= 0)
		close(at);
	return r;
}

static int take_away(const struct writer *w, const char *path, int flags)
{
	const char *name;
	int at = writer_walk(w, path, &name);
	int r = at == -ENOENT ? 0 : at;

	if (at < 0)
		return r;
	if (unlinkat(at, name, flags) < 0)
		r = errno == ENOENT ? 0 : -errno;
	else
		r = atomic_file_sync(at);
	close(at);
	return r;
}

int writer_remove(const struct writer *w, const char *path)
{
	return take_away(w, path, 0);
}

int writer_remove_dir(const struct writer *w, const char *path)
{
	return take_away(w, path, AT_REMOVEDIR);
}

int writer_make_dir(const struct writer *w, const char *path, unsigned int mode)
{
	const char *name;
	int at = writer_walk(w, path, &name);
	int r = at;

	if (at < 0)
		return r;
	r = mkdirat(at, name, mode) < 0 ? -errno : atomic_file_sync(at);
	close(at);
	return r;
}

int writer_give(const struct writer *w, const char *path)
{
	const char *name;
	struct stat st;
	int at, r;

	if (!w->prefix[0] || geteuid() != 0)
		return 0;
	at = writer_walk(w, path, &name);
	if (at < 0)
		return at;
	r = fstat(at, &st) < 0 ? -errno : 0;
	if (r == 0 && fchownat(at, name, st.st_uid, st.st_gid, AT_SYMLINK_NOFOLLOW) < 0)
		r = -errno;
	close(at);
	return r;
}
