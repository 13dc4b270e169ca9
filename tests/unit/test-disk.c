#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "check.h"
#include "run/disk.h"

static int is_open(int fd)
{
	return fcntl(fd, F_GETFD) >= 0;
}

/* The disk has descriptors of its own, and leaves those of the caller open. */
static void test_own(int dir, int file)
{
	struct disk d;
	int own;

	disk_open(&d, dir, file);
	own = d.file;
	CHECK(own >= 0 && own != file && d.dir != dir);
	disk_sync(&d);
	disk_close(&d);
	CHECK(!is_open(own) && is_open(dir) && is_open(file));
}

/* No descriptor is left: that of the caller is synced, not none. */
static void test_no_descriptor(int dir, int file)
{
	struct rlimit before, none;
	struct disk d;

	CHECK(getrlimit(RLIMIT_NOFILE, &before) == 0);
	none = before;
	none.rlim_cur = 3;
	CHECK(setrlimit(RLIMIT_NOFILE, &none) == 0);
	disk_open(&d, dir, file);
	CHECK(d.file == file && d.dir == dir);
	disk_sync(&d);
	disk_close(&d);
	CHECK(setrlimit(RLIMIT_NOFILE, &before) == 0);
	CHECK(d.file == -1 && is_open(dir) && is_open(file));
}

/* Where nothing is kept, nothing is synced or closed. */
static void test_none(void)
{
	struct disk d = DISK_NONE;

	disk_sync(&d);
	disk_close(&d);
	CHECK(d.file == -1);
}

int main(void)
{
	char directory[] = "/tmp/test-disk-XXXXXX";
	int dir, file;

	CHECK(mkdtemp(directory) != NULL);
	dir = open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
	file = openat(dir, "journal", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	CHECK(dir >= 0 && file >= 0);
	test_own(dir, file);
	test_no_descriptor(dir, file);
	test_none();
	unlinkat(dir, "journal", 0);
	close(file);
	close(dir);
	rmdir(directory);
	return check_end();
}
