#include "gate/verdict-file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"
#include "door/atomic-file.h"
#include "door/trust.h"

#define BOOT_ID   "/proc/sys/kernel/random/boot_id"
#define HOST_NAME "/proc/sys/kernel/hostname"

static void read_line(const char *path, char *ret, size_t size)
{
	size_t n = fd_text(open(path, O_RDONLY | O_CLOEXEC), ret, size);

	while (n > 0 && ret[n - 1] == '\n')
		n--;
	ret[n] = '\0';
}

void boot_now(struct boot_now *ret)
{
	read_line(BOOT_ID, ret->id, sizeof(ret->id));
	ret->second = clock_ns(CLOCK_BOOTTIME) / 1000000000;
}

void host_name_now(char ret[static HOST_NAME_MAX_LEN])
{
	read_line(HOST_NAME, ret, HOST_NAME_MAX_LEN);
}

static int open_dir(const char *path, const char **ret_name, struct buf *why)
{
	struct buf dir BUF_SCOPED = { 0 };
	const char *slash = strrchr(path, '/');

	if (!slash)
		return -EINVAL;
	*ret_name = slash + 1;
	buf_span(&dir, (struct span){ path, slash > path ? (size_t)(slash - path) : 1 });
	return trust_public_dir(dir.data, why);
}

int verdict_file_write(const char *path, const struct node_verdict *v, struct buf *why)
{
	struct buf text BUF_SCOPED = { 0 };
	struct atomic_file file;
	const char *name;
	int dir = open_dir(path, &name, why), r;

	if (dir < 0)
		return dir;
	node_verdict_write(v, &text);
	r = atomic_file_public(dir, NULL, buf_get(&text), &file);
	if (r == 0) {
		r = atomic_file_rename(&file, name, true);
		if (r < 0)
			atomic_file_drop(&file);
	}
	close(dir);
	return r;
}

int verdict_file_read(const char *path, struct arena *a, struct node_verdict *ret, struct buf *why)
{
	struct buf text BUF_SCOPED = { 0 };
	int fd = trust_open(path, why);
	int r = fd < 0 ? fd : fd_all(fd, NODE_VERDICT_MAX, &text);

	if (r == -ENOENT || r == -ENOTDIR) {
		buf_clear(why);
		buf_addf(why, "there is no verdict yet");
	} else if (r < 0 && why->len == 0)
		buf_addf(why, "%s: %s", path, strerror(-r));
	else if (r == 0 && !node_verdict_parse(a, buf_get(&text), ret)) {
		buf_addf(why, "%s is damaged", path);
		r = -EBADMSG;
	}
	return r;
}

bool verdict_file_is_of(const struct node_verdict *v, const struct boot_now *now)
{
	return now->id[0] && strcmp(v->boot, now->id) == 0 && v->second <= now->second;
}

bool verdict_file_is_fresh(const struct node_verdict *v, const struct boot_now *now,
			   struct buf *why)
{
	if (!now->id[0] || strcmp(v->boot, now->id) != 0)
		buf_text(why, "the verdict is of another boot");
	else if (v->second > now->second || now->second - v->second > VERDICT_OLD_S)
		buf_addf(why, "the verdict is older than %d minutes", VERDICT_OLD_S / 60);
	else
		return true;
	return false;
}
