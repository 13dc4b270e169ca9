#include "root/snapshot.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/fd.h"
#include "door/atomic-file.h"

static int inflate_all(gzFile file, struct buf *ret)
{
	int n;

	do {
		buf_room(ret, 65536);
		n = gzread(file, ret->data + ret->len, 65536);
		if (n < 0)
			return -EBADMSG;
		ret->len += (size_t)n;
		ret->data[ret->len] = '\0';
		if (ret->len > SNAPSHOT_MAX)
			return -EFBIG;
	} while (n > 0);
	return gzeof(file) ? 0 : -EBADMSG;
}

int snapshot_read(const char *path, struct buf *ret)
{
	int fd = strcmp(path, "-") == 0 ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);
	struct stat st = { 0 };
	gzFile file;
	int r = 0;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) == 0 && S_ISDIR(st.st_mode))
		r = -EISDIR;
	else if (S_ISREG(st.st_mode) && st.st_size > (off_t)SNAPSHOT_MAX)
		r = -EFBIG; /* gzip can hold gigabytes that unpack to nothing */
	if (r < 0) {
		close(fd);
		return r;
	}
	file = gzdopen(fd, "rb"); /* plain text passes through it as it is */
	if (!file) {
		close(fd);
		return -ENOMEM;
	}
	r = inflate_all(file, ret);
	if (gzclose(file) != Z_OK && r == 0)
		r = -EBADMSG;
	return r;
}

/* No time and no name in the header: the same text gives the same bytes. */
static int deflate_to(int fd, struct span text)
{
	gzFile file = gzdopen(dup(fd), "wb9");
	int r = 0;

	if (!file)
		return -ENOMEM;
	if (text.len > 0 && gzwrite(file, text.data, (unsigned int)text.len) <= 0)
		r = -EIO;
	return gzclose(file) == Z_OK ? r : -EIO;
}

static int write_to(int fd, const char *path, struct span text)
{
	return span_ends(span_of(path), ".gz") ? deflate_to(fd, text) : fd_write(fd, text);
}

static int write_beside(int dir, const char *name, struct span text)
{
	struct buf temp BUF_SCOPED = { 0 };
	struct atomic_file f;
	uint32_t key;
	int r;

	if (getrandom(&key, sizeof(key), 0) != (ssize_t)sizeof(key))
		return -EIO;
	buf_addf(&temp, "%s.%06x", name, (unsigned int)(key & 0xffffff));
	r = atomic_file_begin(dir, temp.data, &f);
	if (r == 0)
		r = atomic_file_end(&f, write_to(f.fd, name, text));
	if (r < 0)
		return r;
	r = atomic_file_rename(&f, name, true);
	if (r < 0)
		atomic_file_drop(&f);
	else
		(void)atomic_file_sync(dir); /* one that we may not read can still be written to */
	return r;
}

int snapshot_write(const char *path, struct span text)
{
	const char *slash = strrchr(path, '/');
	struct buf above BUF_SCOPED = { 0 };
	struct stat st;
	int dir, fd, r;

	if (strcmp(path, "-") == 0)
		return fd_write(STDOUT_FILENO, text);
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) {
		/* /dev/null, /dev/stdout, a FIFO: written to, and not replaced by a file. */
		fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
		r = fd < 0 ? -errno : write_to(fd, path, text);
		if (fd >= 0 && close(fd) < 0 && r == 0)
			r = -errno;
		return r;
	}
	buf_add(&above, slash ? path : "./", slash ? (size_t)(slash - path + 1) : 2);
	dir = open(above.data, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		return -errno;
	r = write_beside(dir, slash ? slash + 1 : path, text);
	close(dir);
	return r;
}
