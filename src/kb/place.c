#include "kb/place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME_ROOM 128

/* ---- the directory ---- */

static int open_dir(const char *path, size_t len)
{
	char dir[4096];
	int fd;

	if (len >= sizeof(dir))
		return -ENAMETOOLONG;
	memcpy(dir, path, len);
	dir[len] = '\0';
	if (mkdir(dir, 0755) < 0 && errno != EEXIST)
		return -errno;
	fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

static int judge_dir(int fd)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return -errno;
	return (st.st_uid != 0 && st.st_uid != geteuid()) || st.st_mode & 0022 ? -EPERM : 0;
}

/*
 * A file that only the owner can open: whoever may read the directory could hold
 * a lock on that for ever. It stays, for the next one may wait with it open.
 */
static int lock(int dir, const char *name)
{
	char path[NAME_ROOM];
	int fd, r;

	if (snprintf(path, sizeof(path), "%s" PLACE_LOCK, name) >= (int)sizeof(path))
		return -ENAMETOOLONG;
	fd = openat(dir, path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
	if (fd < 0)
		return -errno;
	r = flock(fd, LOCK_EX | LOCK_NB) < 0 ? -errno : fd;
	if (r < 0)
		close(fd);
	return r;
}

int place_open(const char *path, struct place *ret)
{
	const char *slash = strrchr(path, '/');
	int fd = slash ? open_dir(path, (size_t)(slash - path)) : -EINVAL;
	int r = fd < 0 ? fd : judge_dir(fd);

	if (r == 0)
		r = lock(fd, slash + 1);
	if (r >= 0)
		*ret = (struct place){ fd, r, slash + 1 };
	else if (fd >= 0)
		close(fd);
	return r < 0 ? r : 0;
}

void place_close(struct place *p)
{
	close(p->lock);
	close(p->dir);
}

/* ---- files ---- */

static int write_all(int fd, struct span bytes)
{
	while (bytes.len > 0) {
		ssize_t n = write(fd, bytes.data, bytes.len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : -EIO;
		bytes.data += n;
		bytes.len -= (size_t)n;
	}
	return 0;
}

/* Under the temporary name, on the disk, for everybody to read. */
static int write_new(int dir, const char *name, struct span bytes)
{
	int fd, r;

	if (unlinkat(dir, name, 0) < 0 && errno != ENOENT) /* of one that was killed */
		return -errno;
	fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return -errno;
	r = write_all(fd, bytes);
	if (r == 0 && (fchmod(fd, 0644) < 0 || fsync(fd) < 0))
		r = -errno;
	if (close(fd) < 0 && r == 0)
		r = -errno;
	if (r < 0)
		unlinkat(dir, name, 0);
	return r;
}

/* Once the name is taken it is done: without the fsync a power cut may bring back the old one. */
static int take_name(int dir, const char *from, const char *to)
{
	if (renameat(dir, from, dir, to) < 0)
		return -errno;
	(void)fsync(dir);
	return 0;
}

int place_put(const struct place *p, const char *end, struct span beside, struct span bytes)
{
	char file[NAME_ROOM], other[NAME_ROOM], other_new[NAME_ROOM];
	int r;

	if (snprintf(file, sizeof(file), "%s" PLACE_NEW, p->name) >= (int)sizeof(file) ||
	    snprintf(other, sizeof(other), "%s%s", p->name, end) >= (int)sizeof(other) ||
	    snprintf(other_new, sizeof(other_new), "%s" PLACE_NEW, other) >= (int)sizeof(other_new))
		return -ENAMETOOLONG;
	r = write_new(p->dir, other_new, beside);
	if (r == 0)
		r = write_new(p->dir, file, bytes);
	if (r == 0)
		r = take_name(p->dir, file, p->name);
	if (r < 0) {
		unlinkat(p->dir, file, 0);
		unlinkat(p->dir, other_new, 0);
		return r;
	}
	/* The new one is in place: what belongs to it is found under either name. */
	(void)take_name(p->dir, other_new, other);
	return 0;
}
