#include "door/output-file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/fd.h"
#include "door/atomic-file.h"
#include "door/trust.h"

static int put_bytes(const struct output_file *o, int fd, struct span bytes)
{
	return o->write ? o->write(fd, bytes) : fd_write(fd, bytes);
}

/*
 * A new file gets the rights that the umask leaves. A replaced file of ours keeps its
 * own; one of another user gives no right that the umask would not leave.
 */
static mode_t mode_of(const struct output_file *o, const struct stat *old)
{
	mode_t mask;

	if (o->is_private)
		return 0600;
	if (S_ISREG(old->st_mode) && old->st_uid == geteuid())
		return old->st_mode & 0777;
	mask = umask(0);
	umask(mask);
	mask = S_ISREG(old->st_mode) ? mask | ~old->st_mode : mask;
	return 0666 & ~mask;
}

static int write_beside(const struct output_file *o, int dir, const char *name, struct span bytes,
			mode_t mode)
{
	struct atomic_file f;
	int r = atomic_file_begin(dir, NULL, &f);

	if (r < 0)
		return r;
	r = put_bytes(o, f.fd, bytes);
	if (r == 0 && fchmod(f.fd, mode) < 0)
		r = -errno;
	r = atomic_file_end(&f, r);
	if (r < 0)
		return r;
	r = atomic_file_rename(&f, name, true);
	if (r < 0)
		atomic_file_drop(&f);
	else
		(void)atomic_file_sync(dir); /* one that we may not read can still be written to */
	return r;
}

/*
 * Opens the file that was judged: another user may exchange a name between the
 * look and the opening. -ESTALE if that happened.
 */
static int open_judged(const struct output_file *o, int dir, const char *name,
		       const struct stat *judged)
{
	struct stat st;
	int fd;

	if (judged->st_uid != 0 && judged->st_uid != geteuid()) {
		buf_addf(o->why, "%s belongs to another user", name);
		return -EPERM;
	}
	fd = openat(dir, name, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) == 0 && st.st_dev == judged->st_dev && st.st_ino == judged->st_ino)
		return fd;
	close(fd);
	return -ESTALE;
}

static int write_and_close(const struct output_file *o, int fd, struct span bytes)
{
	int r = fd < 0 ? fd : put_bytes(o, fd, bytes);

	if (fd >= 0 && close(fd) < 0 && r == 0)
		r = -errno;
	return r;
}

/*
 * A file that may be written and not replaced: one that is a mount by itself, as
 * containers have them, or one in a directory of others.
 */
static int write_within(const struct output_file *o, int dir, const char *name, struct span bytes,
			const struct stat *judged)
{
	int fd = open_judged(o, dir, name, judged);

	if (fd >= 0 && ftruncate(fd, 0) < 0) {
		int r = -errno;

		close(fd);
		return r;
	}
	return write_and_close(o, fd, bytes);
}

static bool cannot_be_replaced(int error)
{
	return error == -EBUSY || error == -EACCES || error == -EPERM || error == -EROFS ||
	       error == -EXDEV;
}

/*
 * /dev/stdout and its like are what is open already, with the place that was
 * reached in it: opened anew, a file would be written from its beginning.
 */
static int own_descriptor(const char *path)
{
	static const struct {
		const char *name;
		int fd;
	} named[] = { { "/dev/stdout", STDOUT_FILENO }, { "/dev/stderr", STDERR_FILENO } };
	static const char *const folders[] = { "/dev/fd/", "/proc/self/fd/" };
	uint64_t number;

	for (size_t i = 0; i < COUNT(named); i++)
		if (strcmp(path, named[i].name) == 0)
			return named[i].fd;
	for (size_t i = 0; i < COUNT(folders); i++)
		if (span_starts(span_of(path), folders[i]) &&
		    span_u64(span_of(path + strlen(folders[i])), &number) && number <= INT_MAX)
			return (int)number;
	return -1;
}

static int write_named(const struct output_file *o, int dir, const char *name, struct span bytes)
{
	struct stat st = { 0 }, behind = { 0 };
	int r;

	(void)fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW);
	(void)fstatat(dir, name, &behind, 0);
	if (!name[0] || S_ISDIR(behind.st_mode))
		return -EISDIR;
	if (behind.st_mode != 0 && !S_ISREG(behind.st_mode))
		return write_and_close(o, open_judged(o, dir, name, &behind), bytes);
	r = write_beside(o, dir, name, bytes, mode_of(o, &st));
	if (S_ISREG(st.st_mode) && cannot_be_replaced(r))
		r = write_within(o, dir, name, bytes, &st);
	return r;
}

int output_file_write(const struct output_file *o, const char *path, struct span bytes)
{
	const char *slash = strrchr(path, '/');
	int own = own_descriptor(path);
	int dir, r;

	if (own >= 0)
		return put_bytes(o, own, bytes);
	dir = trust_parent(path, o->why);
	if (dir < 0)
		return dir;
	r = write_named(o, dir, slash ? slash + 1 : path, bytes);
	close(dir);
	return r;
}
