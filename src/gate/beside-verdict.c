#include "gate/beside-verdict.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "door/trust.h"

void beside_verdict(const char *verdict, const char *name, struct buf *ret)
{
	const char *slash = strrchr(verdict, '/');

	buf_span(ret, (struct span){ verdict, slash ? (size_t)(slash - verdict + 1) : 0 });
	buf_text(ret, name);
}

/* Who has no verdict may have no directory for one either. */
static void make_dir(const char *path)
{
	struct buf dir BUF_SCOPED = { 0 };
	const char *slash = strrchr(path, '/');

	if (!slash || slash == path)
		return;
	buf_span(&dir, (struct span){ path, (size_t)(slash - path) });
	(void)mkdir(dir.data, 0755);
}

static int open_dir(const char *path, struct buf *why)
{
	struct trust us = trust_us();

	if (us.uid == 0 && !trust_path(&us, path, why))
		return -EPERM;
	make_dir(path);
	return trust_parent(path, why);
}

static int open_file(int dir, const char *name, struct stat *ret)
{
	int fd = openat(dir, name,
			O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0644);

	if (fd < 0)
		return -errno;
	if (fstat(fd, ret) == 0 && S_ISREG(ret->st_mode))
		return fd;
	close(fd);
	return -EINVAL;
}

/* Who finds it locked leaves the turning to that one, and adds to what there is. */
static void turn_over(int dir, const char *name, int fd)
{
	struct buf old BUF_SCOPED = { 0 };
	struct stat mine, there;

	if (flock(fd, LOCK_EX | LOCK_NB) < 0)
		return;
	buf_addf(&old, "%s.1", name);
	if (fstat(fd, &mine) == 0 && fstatat(dir, name, &there, AT_SYMLINK_NOFOLLOW) == 0 &&
	    mine.st_ino == there.st_ino)
		(void)renameat(dir, name, dir, old.data);
}

static int open_with_room(int dir, const struct beside_order *o)
{
	struct stat st;
	int fd = open_file(dir, o->name, &st);

	if (fd < 0 || (uint64_t)st.st_size < o->most)
		return fd;
	if (o->keep_one)
		turn_over(dir, o->name, fd);
	close(fd);
	return o->keep_one ? open_file(dir, o->name, &st) : -EFBIG;
}

int beside_add(const char *verdict, const struct beside_order *o, struct span bytes,
	       struct buf *why)
{
	struct buf path BUF_SCOPED = { 0 };
	int dir, fd;
	ssize_t n;

	beside_verdict(verdict, o->name, &path);
	dir = open_dir(path.data, why);
	if (dir < 0)
		return dir;
	fd = open_with_room(dir, o);
	close(dir);
	if (fd < 0)
		return fd;
	n = write(fd, bytes.data, bytes.len);
	if (n < 0)
		n = -errno;
	else
		n = n == (ssize_t)bytes.len ? 0 : -ENOSPC; /* a disk that is full takes a part */
	close(fd);
	return (int)n;
}

void beside_read(const char *verdict, const char *name, size_t most, struct buf *ret)
{
	struct buf path BUF_SCOPED = { 0 }, why BUF_SCOPED = { 0 };
	int fd;

	beside_verdict(verdict, name, &path);
	fd = trust_open(path.data, &why);
	if (fd >= 0)
		(void)fd_all(fd, most, ret);
}
