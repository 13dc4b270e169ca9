#include "probe/scratch-dir.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"

static bool exists(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0;
}

static void put(const char *dir, const char *name)
{
	char path[512];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	fd = open(path, O_CREAT | O_WRONLY, 0600);
	CHECK(fd >= 0);
	close(fd);
}

static void check_homes(struct scratch_dir *s, struct arena *a)
{
	const char *home = scratch_dir_home(s, a, 0, 0), *again = scratch_dir_home(s, a, 0, 0),
		   *other;
	const char *group = scratch_dir_group(s, a, 0, 0);
	struct stat st;

	CHECK(home && exists(home));
	CHECK_TEXT(home, again); /* shared: what one has compiled the next finds */
	CHECK(stat(home, &st) == 0 && (st.st_mode & 0777) == 0700);
	s->generation++;
	other = scratch_dir_home(s, a, 0, 0);
	CHECK(other && strcmp(other, home) != 0);
	CHECK(group && strcmp(group, scratch_dir_group(s, a, 0, 0)) != 0);
}

/* Whatever was left in it, and with whatever rights; but nothing outside. */
static void check_removal(void)
{
	char outside[] = "/tmp/test-outside-XXXXXX", top[256], path[600];
	struct scratch_dir s = { 0 };
	struct arena a = { 0 };
	const char *home;

	CHECK(mkdtemp(outside) && scratch_dir_init(&s) == 0);
	put(outside, "kept");
	snprintf(top, sizeof(top), "%s", s.top);
	check_homes(&s, &a);
	home = scratch_dir_home(&s, &a, 0, 0);
	snprintf(path, sizeof(path), "%s/link", home);
	CHECK(symlink(outside, path) == 0);
	snprintf(path, sizeof(path), "%s/locked", home);
	CHECK(mkdir(path, 0700) == 0);
	put(path, "file");
	CHECK(mkfifo(arena_format(&a, "%s/fifo", path), 0600) == 0);
	CHECK(chmod(path, 0) == 0);
	for (int i = 0; i < 60; i++) {
		strcat(path, "/d");
		(void)!mkdir(path, 0700);
	}
	scratch_dir_done(&s);
	CHECK(!exists(top) && !s.top);
	snprintf(path, sizeof(path), "%s/kept", outside);
	CHECK(exists(path));
	unlink(path);
	rmdir(outside);
	scratch_dir_done(&s); /* and again: there is nothing */
	arena_done(&a);
}

int main(void)
{
	check_removal();
	setenv("TMPDIR", "/proc/nonexistent", 1); /* then /tmp */
	check_removal();
	return check_end();
}
