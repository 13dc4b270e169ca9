#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fix/writer-path.h"

#define TRIES 100

/* A user who can open the file could hold the lock for good, and keep us out. */
static int check_file(int fd)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return -errno;
	return !S_ISREG(st.st_mode) || (st.st_uid != 0 && st.st_uid != geteuid()) ||
			       (st.st_mode & 066)
		       ? -EPERM
		       : 0;
}

/* A lock of fcntl, as glibc's lckpwdf takes it: the kernel knows its process, and frees it. */
static int take(int fd, pid_t *ret_holder)
{
	struct flock all = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	if (fcntl(fd, F_SETLK, &all) == 0)
		return 0;
	if (errno != EAGAIN && errno != EACCES)
		return -errno;
	*ret_holder = fcntl(fd, F_GETLK, &all) == 0 && all.l_type != F_UNLCK && all.l_pid > 0
			      ? all.l_pid
			      : 0;
	return -EAGAIN;
}

/* The previous holder may have removed the file after we had opened it. */
static bool is_still(int fd, int at, const char *name)
{
	struct stat held, now;

	return fstat(fd, &held) == 0 && fstatat(at, name, &now, AT_SYMLINK_NOFOLLOW) == 0 &&
	       held.st_dev == now.st_dev && held.st_ino == now.st_ino;
}

static int lock_once(int at, const char *name, bool make, pid_t *ret_holder)
{
	int fd = openat(at, name,
			O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | (make ? O_CREAT : 0), 0600);
	int r = fd < 0 ? -errno : check_file(fd);

	if (r == 0)
		r = take(fd, ret_holder);
	if (r == 0 && !is_still(fd, at, name))
		r = -ESTALE;
	if (r < 0 && fd >= 0)
		close(fd);
	return r < 0 ? r : fd;
}

int writer_lock(const struct writer *w, const char *path, bool make, pid_t *ret_holder)
{
	const char *name;
	int at = writer_walk(w, path, &name);
	int r = at < 0 ? at : -ESTALE;

	*ret_holder = 0;
	for (int tries = 0; r == -ESTALE && tries < TRIES; tries++)
		r = lock_once(at, name, make, ret_holder);
	if (at >= 0)
		close(at);
	return r;
}

void writer_unlock(int lock)
{
	close(lock);
}
