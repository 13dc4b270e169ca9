#include "root/snapshot.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/fd.h"
#include "door/output-file.h"

/* A read that a signal interrupts has read nothing, and says nothing about the file. */
static int read_more(gzFile file, char *to, unsigned size)
{
	int n, error;

	for (;;) {
		errno = 0;
		n = gzread(file, to, size);
		if (n >= 0 || errno != EINTR)
			return n;
		gzerror(file, &error);
		if (error != Z_ERRNO)
			return n;
		gzclearerr(file);
	}
}

static int inflate_all(gzFile file, struct buf *ret)
{
	int n;

	do {
		buf_room(ret, 65536);
		n = read_more(file, ret->data + ret->len, 65536);
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

int snapshot_write(const char *path, struct span text, struct buf *ret_why)
{
	struct output_file o = { .is_private = true, .why = ret_why };

	if (strcmp(path, "-") == 0)
		return fd_write(STDOUT_FILENO, text);
	if (span_ends(span_of(path), ".gz"))
		o.write = deflate_to;
	return output_file_write(&o, path, text);
}
