/*
 * A tree is not left through its links, with openat2 and on a kernel without it.
 */

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "door/door.h"
#include "forget-openat2.h"

static char tree[] = "/tmp/rocsteady-below.XXXXXX";

/* a/b/file, `out` -> /, `in` -> a, `last` -> a/b/file */
static int make_tree(void)
{
	int top = mkdtemp(tree) ? open(tree, O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;
	int fd;

	if (top < 0)
		return -1;
	mkdirat(top, "a", 0755);
	mkdirat(top, "a/b", 0755);
	fd = openat(top, "a/b/file", O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	if (fd >= 0)
		close(fd);
	if (symlinkat("/", top, "out") < 0 || symlinkat("a", top, "in") < 0 ||
	    symlinkat("a/b/file", top, "last") < 0)
		return -1;
	return top;
}

static void remove_tree(int top)
{
	static const char *const names[] = { "last", "in", "out", "a/b/file" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		unlinkat(top, names[i], 0);
	unlinkat(top, "a/b", AT_REMOVEDIR);
	unlinkat(top, "a", AT_REMOVEDIR);
	rmdir(tree);
	close(top);
}

static int try_open(int top, const char *path)
{
	int fd = door_open_below(top, path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	close(fd);
	return 0;
}

int main(void)
{
	int top = make_tree();

	if (!CHECK(top >= 0))
		return check_end();
	CHECK_INT(try_open(top, "/a/b/file"), 0);
	CHECK_INT(try_open(top, "/in/b/file"), 0);
	CHECK_INT(try_open(top, "/out/etc/passwd"), -ENOENT); /* "/" is the tree's own */
	if (forget_openat2(ENOSYS)) {
		CHECK_INT(try_open(top, "/a/b/file"), 0);
		CHECK_INT(try_open(top, "/"), 0);
		CHECK_INT(try_open(top, "//a//b//"), 0);
		CHECK_INT(try_open(top, "/a/b/none"), -ENOENT);
		CHECK(try_open(top, "/out/etc/passwd") == -ELOOP ||
		      try_open(top, "/out/etc/passwd") == -ENOTDIR);
		CHECK(try_open(top, "/in/b/file") < 0);
		CHECK_INT(try_open(top, "/last"), -ELOOP);
		CHECK(try_open(top, "/a/../../etc/passwd") < 0);
	} else {
		printf("the kernel takes no filter: a kernel without openat2 was not tried\n");
	}
	remove_tree(top);
	return check_end();
}
