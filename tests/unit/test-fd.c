#include "base/fd.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check-span.h"

/* A file with these bytes, from its beginning. */
static int file_of(const void *bytes, size_t n)
{
	int fd = memfd_create("test-fd", MFD_CLOEXEC);

	CHECK(write(fd, bytes, n) == (ssize_t)n);
	lseek(fd, 0, SEEK_SET);
	return fd;
}

static bool is_closed(int fd)
{
	return fcntl(fd, F_GETFD) < 0 && errno == EBADF;
}

static void test_text(void)
{
	char text[5];
	int fd = file_of("abcdefg", 7);

	CHECK(fd_text(fd, text, sizeof(text)) == 4);
	CHECK(strcmp(text, "abcd") == 0);
	CHECK(is_closed(fd));
	CHECK(fd_text(file_of("", 0), text, sizeof(text)) == 0 && text[0] == '\0');
	CHECK(fd_text(-ENOENT, text, sizeof(text)) == 0 && text[0] == '\0');
	CHECK(fd_text(open("/proc/self", O_RDONLY), text, sizeof(text)) == 0);
}

static void test_all(void)
{
	static const struct {
		size_t size, most;
		int all;
	} rows[] = { { 0, 10, 0 },
		     { 9, 10, 0 },
		     { 10, 10, 0 },
		     { 11, 10, -EFBIG },
		     { 70000, 10, -EFBIG },
		     { 65536, 65536, 0 },
		     { 65537, 65536, -EFBIG },
		     { 200000, 1 << 20, 0 },
		     { 1, 0, -EFBIG } };
	static char bytes[200000];

	memset(bytes, 'x', sizeof(bytes));
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct buf b BUF_SCOPED = { 0 };
		size_t want = rows[i].size < rows[i].most ? rows[i].size : rows[i].most;
		int fd = file_of(bytes, rows[i].size);

		buf_text(&b, "before");
		CHECK(fd_all(fd, rows[i].most, &b) == rows[i].all);
		CHECK(b.len == 6 + want && b.data[b.len] == '\0');
		CHECK(memcmp(b.data, "before", 6) == 0);
		CHECK(is_closed(fd));
		buf_clear(&b);
		CHECK(fd_head(file_of(bytes, rows[i].size), rows[i].most, &b) == 0);
		CHECK(b.len == want);
	}
}

static void test_failures(void)
{
	struct buf b BUF_SCOPED = { 0 };

	CHECK(fd_all(-1, 10, &b) == -EBADF);
	CHECK(fd_head(open("/proc/self", O_RDONLY | O_CLOEXEC), 10, &b) == -EISDIR);
	CHECK(b.len == 0);
}

int main(void)
{
	test_text();
	test_all();
	test_failures();
	return check_end();
}
