#include "kb/install-file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "door/atomic-file.h"
#include "door/trust.h"

#define NAME_ROOM 128

/* ---- the directory ---- */

static int open_dir(const char *path, size_t len)
{
	struct buf why BUF_SCOPED = { 0 };
	struct trust us = trust_us();
	char dir[4096];
	int fd;

	if (len >= sizeof(dir))
		return -ENAMETOOLONG;
	memcpy(dir, path, len);
	dir[len] = '\0';
	fd = trust_public_dir(dir, &why);
	if (fd < 0 || trust_path(&us, dir, &why))
		return fd;
	close(fd);
	return -EPERM;
}

/*
 * A file that only the owner can open: whoever may read the directory could hold
 * a lock on that for ever. It stays, for the next one may wait with it open.
 */
static int lock(int dir, const char *name)
{
	char path[NAME_ROOM];
	int fd, r;

	if (snprintf(path, sizeof(path), "%s" INSTALL_FILE_LOCK, name) >= (int)sizeof(path))
		return -ENAMETOOLONG;
	fd = openat(dir, path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
	if (fd < 0)
		return -errno;
	r = flock(fd, LOCK_EX | LOCK_NB) < 0 ? -errno : fd;
	if (r < 0)
		close(fd);
	return r;
}

int install_file_open(const char *path, struct install_file *ret)
{
	const char *slash = strrchr(path, '/');
	int fd = slash ? open_dir(path, (size_t)(slash - path)) : -EINVAL;
	int r = fd;

	if (r >= 0)
		r = lock(fd, slash + 1);
	if (r >= 0)
		*ret = (struct install_file){ fd, r, slash + 1 };
	else if (fd >= 0)
		close(fd);
	return r < 0 ? r : 0;
}

void install_file_close(struct install_file *p)
{
	close(p->lock);
	close(p->dir);
}

/* ---- files ---- */

/* Once the name is taken it is done: without the sync a power cut may bring back the old one. */
static int take_name(const struct atomic_file *f, const char *name)
{
	int r = atomic_file_rename(f, name, true);

	if (r == 0)
		(void)atomic_file_sync(f->dir);
	return r;
}

int install_file_put(const struct install_file *p, const char *end, struct span beside,
		     struct span bytes)
{
	char file[NAME_ROOM], other[NAME_ROOM], other_new[NAME_ROOM];
	struct atomic_file first, second;
	int r;

	if (snprintf(file, sizeof(file), "%s" INSTALL_FILE_NEW, p->name) >= (int)sizeof(file) ||
	    snprintf(other, sizeof(other), "%s%s", p->name, end) >= (int)sizeof(other) ||
	    snprintf(other_new, sizeof(other_new), "%s" INSTALL_FILE_NEW, other) >=
		    (int)sizeof(other_new))
		return -ENAMETOOLONG;
	r = atomic_file_public(p->dir, other_new, beside, &second);
	if (r < 0)
		return r;
	r = atomic_file_public(p->dir, file, bytes, &first);
	if (r == 0) {
		/* The new signature has a name on the disk before the file that it is for is taken. */
		(void)atomic_file_sync(p->dir);
		r = take_name(&first, p->name);
		if (r < 0)
			atomic_file_drop(&first);
	}
	if (r < 0) {
		atomic_file_drop(&second);
		return r;
	}
	/* The new one is in place: what belongs to it is found under either name. */
	(void)take_name(&second, other);
	return 0;
}

int install_file_add(const struct install_file *p, const char *end, struct span bytes)
{
	char name[NAME_ROOM], temp[NAME_ROOM];
	struct atomic_file f;
	int r;

	if (snprintf(name, sizeof(name), "%s%s", p->name, end) >= (int)sizeof(name) ||
	    snprintf(temp, sizeof(temp), "%s" INSTALL_FILE_NEW, name) >= (int)sizeof(temp))
		return -ENAMETOOLONG;
	r = atomic_file_public(p->dir, temp, bytes, &f);
	if (r < 0)
		return r;
	r = take_name(&f, name);
	if (r < 0)
		atomic_file_drop(&f);
	return r;
}
