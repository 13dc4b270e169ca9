#include "base/fd.h"

#include <assert.h>
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#define PIECE ((size_t)65536)

bool fd_is_regular(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
}

size_t fd_text(int fd, char *ret, size_t size)
{
	ssize_t n;

	assert(ret && size > 0); /* there is always a zero at its end */
	n = fd < 0 ? -1 : read(fd, ret, size - 1);
	if (fd >= 0)
		close(fd);
	ret[n > 0 ? n : 0] = '\0';
	return n > 0 ? (size_t)n : 0;
}

/* One byte more than wanted tells that there is more. */
static int take(int fd, size_t most, struct buf *ret)
{
	size_t left = most + 1;

	while (left > 0) {
		size_t room = left < PIECE ? left : PIECE;
		ssize_t n;

		buf_room(ret, room);
		n = read(fd, ret->data + ret->len, room);
		if (n < 0 && errno == EINTR)
			continue;
		ret->len += n > 0 ? (size_t)n : 0;
		ret->data[ret->len] = '\0';
		if (n <= 0)
			return n < 0 ? -errno : 0;
		left -= (size_t)n;
	}
	ret->data[--ret->len] = '\0';
	return -EFBIG;
}

int fd_file(int fd, size_t most, struct buf *ret)
{
	if (fd < 0)
		return -errno;
	if (fd_is_regular(fd))
		return fd_all(fd, most, ret);
	close(fd);
	return -EINVAL;
}

int fd_all(int fd, size_t most, struct buf *ret)
{
	int r;

	if (fd < 0)
		return -EBADF;
	r = take(fd, most, ret);
	close(fd);
	return r;
}

int fd_head(int fd, size_t most, struct buf *ret)
{
	int r = fd_all(fd, most, ret);

	return r == -EFBIG ? 0 : r;
}

int fd_write(int fd, struct span bytes)
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
