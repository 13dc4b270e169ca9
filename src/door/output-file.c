#include "door/output-file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "door/atomic-file.h"
#include "door/trust.h"

static int put_bytes(const struct output_file *o, int fd, struct span bytes)
{
	return o->write ? o->write(fd, bytes) : fd_write(fd, bytes);
}

/* What the umask leaves of a new file's rights; one that is replaced hands on its own. */
static mode_t mode_of(const struct output_file *o, const struct stat *old)
{
	mode_t mask;

	if (o->is_private)
		return 0600;
	if (S_ISREG(old->st_mode))
		return old->st_mode & 0777;
	mask = umask(0);
	umask(mask);
	return 0666 & ~mask;
}

static int write_beside(const struct output_file *o, int dir, const char *name, struct span bytes,
			mode_t mode)
{
	struct buf temp BUF_SCOPED = { 0 };
	struct atomic_file f;
	uint32_t key;
	int r;

	if (getrandom(&key, sizeof(key), 0) != (ssize_t)sizeof(key))
		return -EIO;
	buf_addf(&temp, "%s.%06x", name, (unsigned int)(key & 0xffffff));
	r = atomic_file_begin(dir, temp.data, &f);
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

/* /dev/null, /dev/stdout, a FIFO: written to, and not replaced by a file. */
static int write_through(const struct output_file *o, int dir, const char *name, struct span bytes)
{
	int fd, r;

	if (!trust_is_ours(dir, name)) {
		buf_addf(o->why, "%s is no file, and belongs to another user", name);
		return -EPERM;
	}
	fd = openat(dir, name, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	r = fd < 0 ? -errno : put_bytes(o, fd, bytes);
	if (fd >= 0 && close(fd) < 0 && r == 0)
		r = -errno;
	return r;
}

/* What the kernel shows there is no file to be replaced, also where a file is behind it. */
static bool is_kernels(const char *path)
{
	return span_starts(span_of(path), "/dev/") || span_starts(span_of(path), "/proc/");
}

int output_file_write(const struct output_file *o, const char *path, struct span bytes)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	struct stat behind, st = { 0 };
	int dir = trust_parent(path, o->why);
	int r;

	if (dir < 0)
		return dir;
	(void)fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW);
	if (!name[0])
		r = -EISDIR;
	else if (fstatat(dir, name, &behind, 0) == 0 &&
		 (!S_ISREG(behind.st_mode) || is_kernels(path)))
		r = write_through(o, dir, name, bytes);
	else
		r = write_beside(o, dir, name, bytes, mode_of(o, &st));
	close(dir);
	return r;
}
