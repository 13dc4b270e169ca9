#include "door/trust.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check-span.h"
#include "check.h"

static char top[] = "/tmp/test-trust-XXXXXX";

static const char *below(const char *name)
{
	static char paths[8][256];
	static size_t next;
	char *path = paths[next++ % 8];

	snprintf(path, 256, "%s/%s", top, name);
	return path;
}

static bool is_allowed(const char *path, uid_t *ret_uid, const char *why_not)
{
	struct buf why BUF_SCOPED = { 0 };
	struct trust o = { .takes = true };
	bool good = trust_path(&o, path, &why);

	if (!good && !CHECK(why_not && strstr(why.data, why_not)))
		printf("  %s\n", why.data);
	*ret_uid = o.uid;
	return good;
}

static void make_tree(void)
{
	(void)!mkdtemp(top);
	chmod(top, 0755);
	mkdir(below("lib"), 0755);
	mkdir(below("open"), 0777);
	chmod(below("open"), 0777);
	mkdir(below("sticky"), 0777);
	chmod(below("sticky"), 01777);
	fclose(fopen(below("lib/x.so"), "w"));
	fclose(fopen(below("open/x.so"), "w"));
	fclose(fopen(below("sticky/x.so"), "w"));
	(void)!symlink("lib/x.so", below("relative"));
	(void)!symlink(below("open/x.so"), below("absolute"));
	(void)!symlink("loop", below("loop"));
	(void)!symlink("../../../../../../etc/passwd", below("lib/up"));
}

/* Runs as anybody: what is ours is a stranger's, unless we are root. */
static void check_paths(void)
{
	uid_t uid, self = geteuid();

	CHECK(is_allowed("/etc/passwd", &uid, NULL) && uid == 0);
	CHECK(is_allowed(below("lib/x.so"), &uid, NULL) && uid == self);
	CHECK(is_allowed(below("relative"), &uid, NULL) && uid == self);
	CHECK(is_allowed(below("lib/up"), &uid, NULL));
	CHECK(is_allowed(below("lib/../lib//x.so"), &uid, NULL) && uid == self);
	CHECK(is_allowed(below("sticky/x.so"), &uid, NULL) && uid == self);
	CHECK(is_allowed(below("lib/none.so"), &uid, NULL));
	CHECK(is_allowed("/usr/nonexistent/none.so", &uid, NULL) && uid == 0);
	CHECK(!is_allowed(below("sticky/none.so"), &uid, "could be made by anybody"));
	CHECK(!is_allowed(below("open/x.so"), &uid, "can be written by everybody"));
	CHECK(!is_allowed(below("absolute"), &uid, "can be written by everybody"));
	CHECK(!is_allowed(below("loop"), &uid, "too many links"));
	CHECK(!is_allowed("lib/x.so", &uid, "not an absolute path"));
	CHECK(!is_allowed(below("lib/x.so/more"), &uid, "Not a directory"));
}

static void check_variables(void)
{
	struct buf why BUF_SCOPED = { 0 }, variable BUF_SCOPED = { 0 };
	struct trust o = { .takes = true };

	CHECK(trust_variable(&o, "HSA_OVERRIDE_GFX_VERSION=11.0.0", &why) && o.uid == 0);
	CHECK(trust_variable(&o, "NAMELESS", &why) && trust_variable(&o, "A=", &why));
	CHECK(trust_variable(&o, "A=::b:/usr", &why) && o.uid == 0);
	buf_addf(&variable, "LD_LIBRARY_PATH=/usr/lib:%s", below("lib"));
	CHECK(trust_variable(&o, variable.data, &why) && o.uid == geteuid());
	buf_addf(&variable, ":%s", below("open"));
	CHECK(!trust_variable(&o, variable.data, &why) && why.len > 0);
}

static bool is_tree_allowed(const char *path, const char *why_not)
{
	struct buf why BUF_SCOPED = { 0 };
	struct trust us = trust_us();
	bool good = trust_tree(&us, path, &why);

	if (!good && !CHECK(why_not && strstr(why.data, why_not)))
		printf("  %s\n", why.data);
	return good;
}

/* A package that is a link into another directory is loaded from there, file by file. */
static void check_trees(void)
{
	mkdir(below("site"), 0755);
	mkdir(below("other"), 0755);
	mkdir(below("other/deep"), 0755);
	fclose(fopen(below("other/deep/x.py"), "w"));
	(void)!symlink("../other", below("site/package"));
	(void)!symlink("../site", below("other/back")); /* in a circle */
	(void)!symlink("nowhere", below("site/dangling"));
	CHECK(is_tree_allowed(below("site"), NULL));
	CHECK(!is_tree_allowed(below("none"), "No such file"));
	chmod(below("other/deep/x.py"), 0666);
	CHECK(!is_tree_allowed(below("site"), "other/deep/x.py can be written by everybody"));
	chmod(below("other/deep/x.py"), 0644);
	chmod(below("other"), 0777);
	CHECK(!is_tree_allowed(below("site"), "other can be written by everybody"));
	chmod(below("other"), 0755);
}

/* Only root can make what two others own. */
static void check_strangers(void)
{
	struct buf why BUF_SCOPED = { 0 };
	struct trust o = { .takes = true };

	if (geteuid() != 0 || chown(below("lib"), 1234, 1235) < 0)
		return;
	CHECK(trust_path(&o, below("lib/x.so"), &why) && o.uid == 1234 && o.gid == 1235);
	CHECK(trust_path(&o, below("sticky/x.so"), &why));
	(void)!chown(below("sticky/x.so"), 1236, 1235);
	CHECK(!trust_path(&o, below("sticky/x.so"), &why) &&
	      strstr(why.data, "something else to user"));
	buf_clear(&why);
	(void)!chown(below("lib"), 0, 1235);
	chmod(below("lib"), 0775);
	o = (struct trust){ .takes = true };
	CHECK(!trust_path(&o, below("lib/x.so"), &why) && strstr(why.data, "by a group"));
}

/* trust_open(), and whether the name was opened meanwhile; looking at it is no opening. */
static int open_watched(const char *path, const char *watched, bool *ret_opened)
{
	struct buf why BUF_SCOPED = { 0 };
	char events[512];
	int notes = inotify_init1(IN_NONBLOCK | IN_CLOEXEC), fd;

	CHECK(inotify_add_watch(notes, watched, IN_OPEN) >= 0);
	fd = trust_open(path, &why);
	*ret_opened = read(notes, events, sizeof(events)) > 0;
	close(notes);
	if (fd >= 0)
		close(fd);
	return fd >= 0 ? 0 : fd;
}

static const struct {
	const char *path, *watched;
	int status;
	const char *why;
} opened[] = {
	{ "files/good", "files/good", 0, "a file of ours" },
	{ "files/link", "files/good", 0, "a link of ours to it" },
	{ "files/fifo", "files/fifo", -EINVAL, "a FIFO" },
	{ "files/to-fifo", "files/fifo", -EINVAL, "a link of ours to one" },
	{ "files", "files", -EINVAL, "a directory" },
	{ "open/x.so", "open/x.so", -EPERM, "in a directory that everybody may write" },
	{ "open/fifo", "open/fifo", -EPERM, "a FIFO there" },
	{ "absolute", "open/x.so", -EPERM, "a link of ours that leads there" },
	{ "sticky/none", "sticky", -ENOENT, "nothing, where everybody could make it" },
	{ "files/none", "files", -ENOENT, "nothing" },
};

static void check_opens(void)
{
	mkdir(below("files"), 0755);
	fclose(fopen(below("files/good"), "w"));
	CHECK(mkfifo(below("files/fifo"), 0600) == 0 && mkfifo(below("open/fifo"), 0666) == 0);
	CHECK(symlink("good", below("files/link")) == 0);
	CHECK(symlink("fifo", below("files/to-fifo")) == 0);
	for (size_t i = 0; i < COUNT_OF(opened); i++) {
		bool was_opened = false;
		int r = open_watched(below(opened[i].path), below(opened[i].watched), &was_opened);

		ROW_CHECK(r == opened[i].status, opened[i].why);
		ROW_CHECK(was_opened == (opened[i].status == 0), opened[i].why);
	}
}

int main(void)
{
	char command[128];

	make_tree();
	check_paths();
	check_variables();
	check_trees();
	check_opens();
	check_strangers();
	snprintf(command, sizeof(command), "rm -rf %s", top);
	(void)!system(command);
	return check_end();
}
