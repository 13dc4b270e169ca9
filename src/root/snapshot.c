#include "root/snapshot.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

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
	struct stat st;
	gzFile file;
	int r;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) == 0 && S_ISDIR(st.st_mode)) {
		close(fd);
		return -EISDIR;
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

int snapshot_write_all(int fd, struct span text)
{
	while (text.len > 0) {
		ssize_t n = write(fd, text.data, text.len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		text.data += n;
		text.len -= (size_t)n;
	}
	return 0;
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
	return span_ends(span_of(path), ".gz") ? deflate_to(fd, text)
					       : snapshot_write_all(fd, text);
}

/* /dev/null, /dev/stdout, a FIFO: written to, and not replaced by a file. */
static int write_into(const char *path, struct span text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	int r = fd < 0 ? -errno : write_to(fd, path, text);

	if (fd >= 0 && close(fd) < 0 && r == 0)
		r = -errno;
	return r;
}

int snapshot_write(const char *path, struct span text)
{
	struct stat st;
	struct buf temporary BUF_SCOPED = { 0 };
	int fd;
	int r;

	if (strcmp(path, "-") == 0)
		return snapshot_write_all(STDOUT_FILENO, text);
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return write_into(path, text);
	buf_addf(&temporary, "%s.XXXXXX", path);
	fd = mkostemp(temporary.data, O_CLOEXEC);
	if (fd < 0)
		return -errno;
	r = write_to(fd, path, text);
	if (close(fd) < 0 && r == 0)
		r = -errno;
	if (r == 0 && rename(temporary.data, path) < 0)
		r = -errno;
	if (r < 0)
		unlink(temporary.data);
	return r;
}
