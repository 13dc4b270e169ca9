#include "base/fd-lines.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check-span.h"

static int file_of(const void *bytes, size_t n)
{
	int fd = memfd_create("test-fd-lines", MFD_CLOEXEC);

	CHECK(write(fd, bytes, n) == (ssize_t)n);
	lseek(fd, 0, SEEK_SET);
	return fd;
}

static void test_lines(void)
{
	struct fd_lines l = { .fd = file_of("a\n\nb\0c\nlast", 11), .most = 10 };
	struct span line;

	CHECK(fd_lines_next(&l, &line) == 1 && span_is(line, "a"));
	CHECK(fd_lines_next(&l, &line) == 1 && line.len == 0);
	CHECK(fd_lines_next(&l, &line) == 1 && line.len == 3 && line.data[2] == 'c');
	CHECK(fd_lines_next(&l, &line) == 1 && span_is(line, "last"));
	CHECK(fd_lines_next(&l, &line) == 0);
	CHECK(fd_lines_next(&l, &line) == 0);
	close(l.fd);
	fd_lines_done(&l);
}

/* Longer than what is read at once, and not a byte of it is taken for the next line. */
static void test_long(void)
{
	size_t size = 200000;
	char *bytes = malloc(size);
	struct fd_lines l = { .most = 100000 };
	struct span line;

	memset(bytes, 'x', size);
	bytes[99999] = '\n';
	bytes[size - 3] = '\n';
	l.fd = file_of(bytes, size);
	CHECK(fd_lines_next(&l, &line) == 1 && line.len == 99999);
	CHECK(fd_lines_next(&l, &line) == 1 && line.len == size - 3 - 100000);
	CHECK(fd_lines_next(&l, &line) == 1 && line.len == 2);
	CHECK(fd_lines_next(&l, &line) == 0);
	lseek(l.fd, 0, SEEK_SET);
	fd_lines_done(&l);
	l = (struct fd_lines){ .fd = l.fd, .most = 99998 };
	CHECK(fd_lines_next(&l, &line) == -EFBIG);
	CHECK(fd_lines_next(&l, &line) == 1 && line.len == size - 3 - 100000);
	fd_lines_done(&l);
	lseek(l.fd, 0, SEEK_SET);
	l = (struct fd_lines){ .fd = l.fd, .most = 10 };
	CHECK(fd_lines_next(&l, &line) == -EFBIG);
	CHECK(fd_lines_next(&l, &line) == -EFBIG);
	CHECK(fd_lines_next(&l, &line) == 1 && line.len == 2);
	fd_lines_done(&l);
	close(l.fd);
	free(bytes);
}

/* A line is there when its newline is, though the writer has not ended. */
static void test_at_once(void)
{
	int ends[2];
	struct fd_lines l = { .most = 10 };
	struct span line;

	CHECK(pipe(ends) == 0);
	l.fd = ends[0];
	CHECK(write(ends[1], "a\nb", 3) == 3);
	CHECK(fd_lines_next(&l, &line) == 1 && span_is(line, "a"));
	close(ends[1]);
	CHECK(fd_lines_next(&l, &line) == 1 && span_is(line, "b"));
	CHECK(fd_lines_next(&l, &line) == 0);
	close(ends[0]);
	CHECK(fd_lines_next(&l, &line) == 0);
	fd_lines_done(&l);
	l = (struct fd_lines){ .fd = -1, .most = 10 };
	CHECK(fd_lines_next(&l, &line) == -EBADF);
	fd_lines_done(&l);
}

int main(void)
{
	test_lines();
	test_long();
	test_at_once();
	return check_end();
}
