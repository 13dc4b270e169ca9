#include "gate/passed.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/text.h"
#include "door/trust.h"

static const struct {
	char letter;
	const char *name;
} kinds[PASSED_KINDS] = {
	[PASSED_NO_VERDICT] = { 'n', "no-verdict" },
	[PASSED_OLD_VERDICT] = { 'o', "old-verdict" },
	[PASSED_BAD_VERDICT] = { 'd', "bad-verdict" },
	[PASSED_OFF] = { 'x', "gate-off" },
	[PASSED_BRAKE] = { 'b', "max-drained" },
	[PASSED_OTHER_REASON] = { 'r', "other-reason" },
	[PASSED_SLURM_SILENT] = { 's', "slurm-silent" },
	[PASSED_HOOK] = { 'h', "hook" },
};

const char *passed_name(enum passed why)
{
	assert(why < PASSED_KINDS);
	return kinds[why].name;
}

static void name_file(const char *verdict, struct buf *ret)
{
	const char *slash = strrchr(verdict, '/');

	buf_span(ret, (struct span){ verdict, slash ? (size_t)(slash - verdict + 1) : 0 });
	buf_text(ret, PASSED_FILE);
}

/* Who has no verdict may have no directory for one either. */
static void make_dir(const char *path)
{
	struct buf dir BUF_SCOPED = { 0 };
	const char *slash = strrchr(path, '/');

	if (!slash || slash == path)
		return;
	buf_span(&dir, (struct span){ path, (size_t)(slash - path) });
	(void)mkdir(dir.data, 0755);
}

/* A link or a pipe under its name is not followed, and a directory of others not written to. */
static int open_to_add(const char *path, struct buf *why)
{
	struct trust us = trust_us();
	int dir, fd;

	if (us.uid == 0 && !trust_path(&us, path, why))
		return -EPERM;
	make_dir(path);
	dir = trust_parent(path, why);
	if (dir < 0)
		return dir;
	fd = openat(dir, PASSED_FILE,
		    O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0644);
	fd = fd < 0 ? -errno : fd;
	close(dir);
	return fd;
}

static int add(const char *path, char letter, struct buf *why)
{
	struct stat st;
	int fd = open_to_add(path, why), r = 0;

	if (fd < 0)
		return fd;
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		r = -EINVAL;
	else if ((uint64_t)st.st_size >= PASSED_MAX)
		r = -EFBIG;
	else if (write(fd, &letter, 1) != 1)
		r = -errno;
	close(fd);
	return r;
}

void passed_add(const char *verdict, enum passed why, struct buf *said)
{
	struct buf path BUF_SCOPED = { 0 }, reason BUF_SCOPED = { 0 };
	int r;

	assert(why < PASSED_KINDS);
	name_file(verdict, &path);
	r = add(path.data, kinds[why].letter, &reason);
	if (r < 0)
		text_line(said, "%s: not counted: %s", path.data,
			  reason.len > 0 ? reason.data : strerror(-r));
}

void passed_read(const char *verdict, uint64_t ret[static PASSED_KINDS])
{
	struct buf path BUF_SCOPED = { 0 }, text BUF_SCOPED = { 0 }, why BUF_SCOPED = { 0 };
	int fd;

	memset(ret, 0, PASSED_KINDS * sizeof(*ret));
	name_file(verdict, &path);
	fd = trust_open(path.data, &why);
	if (fd >= 0)
		(void)fd_all(fd, PASSED_MAX, &text);
	for (size_t i = 0; i < text.len; i++)
		for (size_t k = 0; k < PASSED_KINDS; k++)
			ret[k] += text.data[i] == kinds[k].letter;
}
