#include "door/atomic-file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "check-span.h"

static int dir;

static void expect(const char *name, const char *text)
{
	struct buf got BUF_SCOPED = { 0 };

	CHECK_INT(fd_all(openat(dir, name, O_RDONLY | O_NOFOLLOW), 100, &got), 0);
	CHECK_TEXT(got.data, text);
}

static bool is_there(const char *name)
{
	struct stat st;

	return fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0;
}

static int put(const char *name, const char *text, bool replace)
{
	struct atomic_file f;
	int r;

	CHECK_INT(atomic_file_begin(dir, "beside", &f), 0);
	CHECK_INT(atomic_file_end(&f, fd_write(f.fd, span_of(text))), 0);
	r = atomic_file_rename(&f, name, replace);
	CHECK(is_there("beside") == (r < 0)); /* for the caller to say */
	if (r < 0)
		atomic_file_drop(&f);
	return r;
}

/* The old content or the new, and nothing beside it. */
static void check_names(void)
{
	CHECK_INT(put("file", "first", false), 0);
	expect("file", "first");
	CHECK_INT(put("file", "second", false), -EEXIST);
	expect("file", "first");
	CHECK(!is_there("beside"));
	CHECK_INT(put("file", "third", true), 0);
	expect("file", "third");
	CHECK_INT(put("none/file", "x", true), -ENOENT);
	CHECK(!is_there("beside"));
	CHECK_INT(atomic_file_sync(dir), 0);
}

static void check_failure(void)
{
	struct atomic_file f;

	CHECK_INT(atomic_file_begin(dir, "beside", &f), 0);
	CHECK_INT(fd_write(f.fd, span_of("half")), 0);
	CHECK_INT(atomic_file_end(&f, -ENOSPC), -ENOSPC);
	CHECK(!is_there("beside"));
	expect("file", "third");
}

/* A link that somebody planted is replaced and not followed, and nobody reads along. */
static void check_strangers(void)
{
	struct atomic_file f;
	struct stat st;

	CHECK_INT(symlinkat("file", dir, "beside"), 0);
	CHECK_INT(atomic_file_begin(dir, "beside", &f), 0);
	CHECK(fstat(f.fd, &st) == 0 && (st.st_mode & 07777) == 0600);
	CHECK_INT(fd_write(f.fd, span_of("new")), 0);
	expect("file", "third");
	CHECK_INT(atomic_file_end(&f, 0), 0);
	CHECK_INT(symlinkat("elsewhere", dir, "link"), 0);
	CHECK_INT(atomic_file_rename(&f, "link", true), 0);
	expect("link", "new");
	CHECK(!is_there("elsewhere"));
	CHECK_INT(mkdirat(dir, "beside", 0700), 0);
	CHECK_INT(atomic_file_begin(dir, "beside", &f), -EISDIR);
	CHECK_INT(unlinkat(dir, "beside", AT_REMOVEDIR), 0);
}

/* Several who replace one file at once, as the gate's hooks do, keep out of each other's way. */
static void check_together(void)
{
	struct atomic_file a, b;

	CHECK_INT(atomic_file_begin(dir, NULL, &a), 0);
	CHECK_INT(atomic_file_begin(dir, NULL, &b), 0);
	CHECK(strcmp(a.temp, b.temp) != 0);
	CHECK_INT(atomic_file_end(&a, fd_write(a.fd, span_of("one"))), 0);
	CHECK_INT(atomic_file_rename(&a, "file", true), 0);
	expect("file", "one");
	CHECK_INT(atomic_file_end(&b, fd_write(b.fd, span_of("other"))), 0);
	CHECK_INT(atomic_file_rename(&b, "file", true), 0);
	expect("file", "other");
	CHECK(!is_there(a.temp) && !is_there(b.temp));
}

static bool is_held(void)
{
	sigset_t now;

	pthread_sigmask(SIG_BLOCK, NULL, &now);
	return sigismember(&now, SIGTERM) && sigismember(&now, SIGINT) && sigismember(&now, SIGHUP);
}

/* Nobody would remove a file of its own name that an interruption left. */
static void check_signals(void)
{
	struct atomic_file a, b;

	CHECK_INT(atomic_file_begin(dir, NULL, &a), 0);
	CHECK_INT(atomic_file_begin(dir, NULL, &b), 0);
	CHECK(is_held());
	CHECK_INT(atomic_file_end(&a, 0), 0);
	CHECK_INT(atomic_file_rename(&a, "file", true), 0);
	CHECK(is_held());
	CHECK_INT(atomic_file_end(&b, -EIO), -EIO);
	CHECK(!is_held());
	CHECK_INT(atomic_file_begin(-1, NULL, &a), -EBADF);
	CHECK(!is_held());
}

int main(void)
{
	char top[] = "/tmp/rocsteady-atomic-XXXXXX", command[64];

	CHECK(mkdtemp(top) != NULL);
	dir = open(top, O_PATH | O_DIRECTORY);
	check_names();
	check_failure();
	check_strangers();
	check_together();
	check_signals();
	snprintf(command, sizeof(command), "rm -rf %s", top);
	CHECK_INT(system(command), 0);
	return check_end();
}
