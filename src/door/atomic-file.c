#include "door/atomic-file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"

/* Nobody else takes it, short of a chance of one in four billions: then ours is refused. */
static int choose_name(char *ret, size_t size)
{
	uint32_t key;

	if (getrandom(&key, sizeof(key), 0) != (ssize_t)sizeof(key))
		return -EIO;
	snprintf(ret, size, ".rocsteady-%08x", (unsigned int)key);
	return 0;
}

/*
 * A name of its own is found by nobody who comes after us: what asks us to end
 * waits until the file has its place or is gone. SIGQUIT and SIGKILL do not.
 */
static size_t held;
static sigset_t before;

static void hold_signals(void)
{
	sigset_t ask;

	sigemptyset(&ask);
	sigaddset(&ask, SIGINT);
	sigaddset(&ask, SIGTERM);
	sigaddset(&ask, SIGHUP);
	if (held++ == 0)
		pthread_sigmask(SIG_BLOCK, &ask, &before);
}

static void let_signals(const struct atomic_file *f)
{
	if (f->temp == f->own && held > 0 && --held == 0)
		pthread_sigmask(SIG_SETMASK, &before, NULL);
}

int atomic_file_begin(int dir, const char *temp, struct atomic_file *ret)
{
	struct atomic_file f = { .dir = dir, .temp = temp };
	int r = temp ? 0 : choose_name(f.own, sizeof(f.own));

	if (temp && unlinkat(dir, temp, 0) < 0 && errno != ENOENT)
		r = -errno;
	if (r < 0)
		return r;
	if (!temp)
		hold_signals();
	f.fd = openat(dir, temp ? temp : f.own,
		      O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	r = f.fd < 0 ? -errno : 0;
	if (!temp)
		f.temp = f.own;
	if (r < 0) {
		let_signals(&f);
		return r;
	}
	*ret = f;
	if (!temp)
		ret->temp = ret->own;
	return 0;
}

int atomic_file_end(struct atomic_file *f, int r)
{
	if (r == 0 && fsync(f->fd) < 0)
		r = -errno;
	if (close(f->fd) < 0 && r == 0)
		r = -errno;
	f->fd = -1;
	if (r < 0)
		atomic_file_drop(f);
	return r;
}

int atomic_file_public(int dir, const char *temp, struct span bytes, struct atomic_file *ret)
{
	int r = atomic_file_begin(dir, temp, ret);

	if (r < 0)
		return r;
	r = fd_write(ret->fd, bytes);
	if (r == 0 && fchmod(ret->fd, 0644) < 0)
		r = -errno;
	return atomic_file_end(ret, r);
}

void atomic_file_drop(const struct atomic_file *f)
{
	unlinkat(f->dir, f->temp, 0);
	let_signals(f);
}

/* Not every file system can rename without replacing; every one that matters can link. */
static int rename_new(const struct atomic_file *f, const char *name)
{
	if (renameat2(f->dir, f->temp, f->dir, name, RENAME_NOREPLACE) == 0)
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return -errno;
	if (linkat(f->dir, f->temp, f->dir, name, 0) < 0 || unlinkat(f->dir, f->temp, 0) < 0)
		return -errno;
	return 0;
}

int atomic_file_rename(const struct atomic_file *f, const char *name, bool replace)
{
	int r = !replace                                      ? rename_new(f, name)
		: renameat(f->dir, f->temp, f->dir, name) < 0 ? -errno
							      : 0;

	if (r == 0)
		let_signals(f);
	return r;
}

/* An O_PATH descriptor cannot be synced. */
int atomic_file_sync(int dir)
{
	int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int r = fd < 0 ? -errno : fsync(fd) < 0 ? -errno : 0;

	if (fd >= 0)
		close(fd);
	return r;
}
