/*
 * A directory is not left, neither by links nor by "..", and nothing but regular files is
 * opened in it: with openat2, without it, and where it is forbidden.
 */

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "door/below.h"
#include "forget-openat2.h"

static char tree[] = "/tmp/rocsteady-beneath.XXXXXX";

/* outside, top/a/b/file, top/a/fifo, and links in top that lead in, out, around and nowhere */
static bool make_tree(void)
{
	static const struct {
		const char *name, *to;
	} links[] = {
		{ "top/in", "a/b/file" },     { "top/out", "../outside" },
		{ "top/abs", "/etc/passwd" }, { "top/dir", "a" },
		{ "top/updir", ".." },        { "top/loop", "loop" },
		{ "top/self", "/proc/self" },
	};
	int at = mkdtemp(tree) ? open(tree, O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;
	bool good = at >= 0 && mkdirat(at, "top", 0755) == 0 && mkdirat(at, "top/a", 0755) == 0 &&
		    mkdirat(at, "top/a/b", 0755) == 0 && mkfifoat(at, "top/a/fifo", 0644) == 0;

	for (int i = 0; good && i < 2; i++) {
		int fd = openat(at, i ? "top/a/b/file" : "outside", O_WRONLY | O_CREAT | O_CLOEXEC,
				0644);

		good = fd >= 0 && write(fd, "text", 4) == 4;
		close(fd);
	}
	for (size_t i = 0; good && i < sizeof(links) / sizeof(links[0]); i++)
		good = symlinkat(links[i].to, at, links[i].name) == 0;
	close(at);
	return good;
}

static int try_file(const struct below *top, const char *path, enum below_links links)
{
	struct stat st;
	int fd = below_file(top, path, links, &st);

	if (fd < 0)
		return fd;
	close(fd);
	return (int)st.st_size;
}

/* Alike on every kernel. */
static void check_everywhere(const struct below *top)
{
	CHECK_INT(try_file(top, "a/b/file", BELOW_NONE), 4);
	CHECK_INT(try_file(top, "a/b/file", BELOW_INSIDE), 4);
	CHECK_INT(try_file(top, "out", BELOW_ANY), 4);
	CHECK_INT(try_file(top, "in", BELOW_NONE), -ELOOP);
	CHECK(try_file(top, "out", BELOW_NONE) < 0);
	CHECK(try_file(top, "out", BELOW_INSIDE) < 0);
	CHECK(try_file(top, "abs", BELOW_INSIDE) < 0);
	CHECK(try_file(top, "self/status", BELOW_INSIDE) < 0);
	CHECK(try_file(top, "updir/outside", BELOW_INSIDE) < 0);
	CHECK(try_file(top, "../outside", BELOW_INSIDE) < 0);
	CHECK(try_file(top, "a/../../outside", BELOW_INSIDE) < 0);
	CHECK(try_file(top, "loop", BELOW_INSIDE) < 0);
	CHECK(try_file(top, "dir/b/file", BELOW_NONE) < 0);
	CHECK_INT(try_file(top, "a/fifo", BELOW_INSIDE), -EINVAL);
	CHECK_INT(try_file(top, "a", BELOW_INSIDE), -EISDIR);
	CHECK_INT(try_file(top, "a/none", BELOW_INSIDE), -ENOENT);
	CHECK_INT(below_kind(top, "a", BELOW_NONE), 'd');
	CHECK_INT(below_kind(top, "a/fifo", BELOW_NONE), '?');
	CHECK_INT(below_kind(top, "dir", BELOW_NONE), 0);
	CHECK_INT(below_kind(top, "", BELOW_NONE), 'd');
}

static void check_names(const struct below *top)
{
	struct arena arena = { 0 };
	struct below_name *names = NULL;
	size_t count = 0;

	CHECK_INT(below_names(top, "a", BELOW_NONE, true, &arena, &names, &count), 0);
	if (CHECK(count == 2)) {
		CHECK_TEXT(names[0].name, "b");
		CHECK_INT(names[0].kind, 'd');
		CHECK_TEXT(names[1].name, "fifo");
		CHECK_INT(names[1].kind, '?');
	}
	CHECK_INT(below_names(top, "a/b", BELOW_NONE, true, &arena, &names, &count), 0);
	CHECK(count == 1 && names[0].size == 4 && names[0].kind == '-');
	CHECK(below_names(top, "updir", BELOW_INSIDE, false, &arena, &names, &count) < 0);
	CHECK(below_names(top, "dir", BELOW_NONE, false, &arena, &names, &count) < 0);
	CHECK_INT(below_names(top, "/proc", BELOW_ANY, false, &arena, &names, &count), -ENOTSUP);
	arena_done(&arena);
}

static void check_tops(const char *path, const struct below *top)
{
	struct below other = { .fd = -1 };
	char linked[64];

	CHECK_INT(below_open_real(path, &other), 0);
	CHECK_INT(try_file(&other, "a/b/file", BELOW_NONE), 4);
	below_close(&other);
	snprintf(linked, sizeof(linked), "%s/dir", path);
	CHECK(below_open_real(linked, &other) < 0);
	CHECK_INT(below_open(linked, &other), 0);
	below_close(&other);
	CHECK_INT(below_above(top, 1, &other), 0);
	CHECK_INT(try_file(&other, "outside", BELOW_NONE), 4);
	below_close(&other);
}

static void check_all(const char *path)
{
	struct below top = { .fd = -1 };

	if (!CHECK(below_open(path, &top) == 0))
		return;
	check_everywhere(&top);
	check_names(&top);
	check_tops(path, &top);
	below_close(&top);
}

/* In a child, since a filter stays. */
static void check_without(const char *path, int error)
{
	int status = -1;
	pid_t pid = fork();

	if (pid == 0) {
		check_count = check_failed = 0;
		if (!forget_openat2(error))
			_exit(77);
		check_all(path);
		fflush(stdout);
		_exit(check_failed ? 1 : 0);
	}
	CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status));
	if (WEXITSTATUS(status) == 77)
		printf("the kernel takes no filter: a kernel without openat2 was not tried\n");
	else
		CHECK_INT(WEXITSTATUS(status), 0);
}

int main(void)
{
	char path[64], clean[64];
	struct below top = { .fd = -1 };

	if (!CHECK(make_tree()))
		return check_end();
	snprintf(path, sizeof(path), "%s/top", tree);
	check_all(path);
	CHECK_INT(below_open(path, &top), 0);
	CHECK_INT(try_file(&top, "in", BELOW_INSIDE), 4); /* links that stay need openat2 */
	CHECK_INT(try_file(&top, "dir/b/file", BELOW_INSIDE), 4);
	CHECK_INT(try_file(&top, "out", BELOW_INSIDE), -EXDEV);
	CHECK_INT(try_file(&top, "abs", BELOW_INSIDE), -EXDEV);
	CHECK_INT(try_file(&top, "../none", BELOW_INSIDE), -EXDEV); /* whether it is there or not */
	below_close(&top);
	check_without(path, ENOSYS);
	check_without(path, EPERM);
	snprintf(clean, sizeof(clean), "rm -rf %s", tree);
	CHECK_INT(system(clean), 0);
	return check_end();
}
