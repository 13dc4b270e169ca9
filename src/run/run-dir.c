#include "run/run-dir.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"
#include "base/text.h"
#include "door/trust.h"

#define OWN_DIRECTORY ".rocsteady" /* of runs that name none */
#define NAMES_MAX     1000         /* of one second, one host name and one process number */

/* A new directory in somebody's project keeps itself out of their commits; they may delete this. */
static void ignore_in_git(int dir)
{
	int fd = openat(dir, ".gitignore", O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
			0600);

	if (fd < 0)
		return;
	(void)fd_write(fd, SPAN_LITERAL("*\n"));
	close(fd);
}

static int make_own(const char *path, struct buf *ret_why)
{
	bool is_new = access(path, F_OK) < 0;
	int fd = trust_dir(path, ret_why);

	if (fd < 0)
		return fd;
	if (is_new)
		ignore_in_git(fd);
	close(fd);
	return 0;
}

/* Other errors of a directory are reported when the journal is opened. */
static int check_named(const char *named, struct buf *said)
{
	struct buf why BUF_SCOPED = { 0 };
	int fd = trust_dir(named, &why);

	if (fd >= 0)
		close(fd);
	if (fd != -EPERM || why.len == 0)
		return 0;
	text_line(said,
		  "%s is not used: %s. As root, name a directory that only root can change, "
		  "as --dir /root/rocsteady, or run the job as that user",
		  named, why.data);
	return -EPERM;
}

static void choose_own(struct run_dir *d, struct buf *said)
{
	struct buf why BUF_SCOPED = { 0 }, why_not BUF_SCOPED = { 0 };
	const char *home = getenv("HOME");
	int r;

	buf_text(&d->own, OWN_DIRECTORY);
	r = make_own(d->own.data, &why);
	if (r == 0)
		return;
	if (why.len == 0)
		buf_addf(&why, "./" OWN_DIRECTORY ": %s", strerror(-r));
	buf_clear(&d->own);
	if (home && home[0] == '/')
		buf_addf(&d->own, "%s/" OWN_DIRECTORY, home);
	if (d->own.len > 0 && make_own(d->own.data, &why_not) == 0) {
		buf_addf(said, "the journal goes to %s, not to ./" OWN_DIRECTORY ": %s\n",
			 d->own.data, why.data);
		return;
	}
	buf_clear(&d->own);
	buf_addf(said, "no journal is kept: %s; name %s\n", why.data,
		 trust_us().uid == 0
			 ? "a directory that only root can change: --dir /root/rocsteady"
			 : "a directory of yours: --dir DIRECTORY");
}

/* A site's variable must not keep a job from running; who types --dir can type another one. */
int run_dir_choose(const char *named, struct run_dir *ret, struct buf *said)
{
	const char *usual = getenv("ROCSTEADY_RUN_DIR");

	*ret = (struct run_dir){ .named = named };
	if (named)
		return check_named(named, said);
	if (usual && usual[0] && check_named(usual, said) == 0)
		ret->named = usual;
	else
		choose_own(ret, said);
	return 0;
}

void run_dir_done(struct run_dir *d)
{
	buf_done(&d->own);
}

/* In containers every keeper is process 1, and their hosts may have one name. */
int run_dir_new(int top, struct buf *path, int keeper)
{
	char host[65] = "host", when[32];
	time_t now = (time_t)(clock_date_ms() / 1000);
	struct buf name BUF_SCOPED = { 0 };
	struct tm t;
	int r = -EEXIST;

	(void)gethostname(host, sizeof(host) - 1);
	localtime_r(&now, &t);
	strftime(when, sizeof(when), "%Y-%m-%dT%H-%M-%S", &t);
	for (int i = 1; r == -EEXIST && i <= NAMES_MAX; i++) {
		buf_clear(&name);
		buf_addf(&name, "%s-%s-%d", when, host, keeper);
		if (i > 1)
			buf_addf(&name, "-%d", i);
		r = mkdirat(top, name.data, 0700) < 0 ? -errno : 0;
	}
	if (r < 0)
		return r;
	buf_addf(path, "/%s", name.data);
	r = openat(top, name.data, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return r < 0 ? -errno : r;
}

int run_dir_below(const char *directory, const char *name, struct buf *ret_path)
{
	struct buf why BUF_SCOPED = { 0 };
	char *real = realpath(directory, NULL);
	int fd;

	if (!real)
		return -errno;
	buf_addf(ret_path, "%s/%s", real, name);
	free(real);
	fd = trust_dir(ret_path->data, &why);
	return fd;
}
