#include "door/host.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/klog.h>
#include <sys/socket.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"
#include "base/units.h"
#include "door/standing.h"
#include "door/subject.h"
#include "parse/acl.h"

#define RING_MAX (16 << 20)

/* From the kernel's uapi/linux/kfd_ioctl.h; the number and layout are ABI. */
struct kfd_version {
	uint32_t major;
	uint32_t minor;
};
#define KFD_GET_VERSION _IOR('K', 0x01, struct kfd_version)

static int copy_path(struct span argument, char *ret, size_t size)
{
	if (argument.len == 0 || argument.len >= size || argument.data[0] != '/')
		return -EINVAL;
	memcpy(ret, argument.data, argument.len);
	ret[argument.len] = '\0';
	return 0;
}

/* Device nodes of the GPU and nothing else are ever opened. */
static int gpu_node(struct span argument, char *ret, size_t size)
{
	int r = copy_path(argument, ret, size);

	if (r < 0)
		return r;
	if (strcmp(ret, "/dev/kfd") == 0 || strcmp(ret, "/dev/dxg") == 0)
		return 0;
	return strncmp(ret, "/dev/dri/renderD", 16) == 0 && !strchr(ret + 9, '/') ? 0 : -EINVAL;
}

int host_open_node(struct door *d, struct span argument, struct buf *ret)
{
	char path[256];
	int fd;
	int r = gpu_node(argument, path, sizeof(path));

	if (r < 0)
		return r;
	if (d->options.no_open)
		return DOOR_UNASKED;
	beacon_step(d->beacon, path);
	fd = subject_open(d, path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW);
	if (fd < 0)
		return fd;
	close(fd);
	buf_text(ret, "opened\n");
	return 0;
}

int host_kfd_version(struct door *d, struct span argument, struct buf *ret)
{
	struct kfd_version version = { 0 };
	int fd;
	int r;

	(void)argument;
	if (d->options.no_open)
		return DOOR_UNASKED;
	beacon_step(d->beacon, "/dev/kfd");
	fd = open("/dev/kfd", O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0)
		return -errno;
	r = ioctl(fd, KFD_GET_VERSION, &version) < 0 ? -errno : 0;
	close(fd);
	if (r == 0)
		buf_addf(ret, "%u %u\n", version.major, version.minor);
	return r;
}

int host_access_list(struct door *d, struct span argument, struct buf *ret)
{
	char attribute[4096];
	char path[256];
	struct acl_entry entry;
	struct span entries;
	ssize_t n;
	int r = copy_path(argument, path, sizeof(path));

	if (r < 0)
		return r;
	beacon_step(d->beacon, path);
	n = lgetxattr(path, "system.posix_acl_access", attribute, sizeof(attribute));
	if (n < 0)
		return errno == ENODATA || errno == EOPNOTSUPP ? 0 : -errno;
	if (!acl_parse((struct span){ attribute, (size_t)n }, &entries))
		return -EBADMSG;
	while (acl_next(&entries, &entry))
		acl_text_write(ret, &entry);
	return 0;
}

int host_space(struct door *d, struct span argument, struct buf *ret)
{
	struct statvfs fs;
	char path[256];
	int r = copy_path(argument, path, sizeof(path));

	if (r < 0)
		return r;
	beacon_step(d->beacon, path);
	if (statvfs(path, &fs) < 0)
		return -errno;
	buf_addf(ret, "size %llu\nfree %llu\n", (unsigned long long)fs.f_blocks * fs.f_frsize,
		 (unsigned long long)fs.f_bavail * fs.f_frsize);
	return 0;
}

int host_clock(struct door *d, struct span argument, struct buf *ret)
{
	uint64_t now = clock_date_ms() / 1000;
	char text[UNITS_MAX];

	(void)d;
	(void)argument;
	units_moment(now, text);
	buf_addf(ret, "wall %llu %s\nuptime %llu\n", (unsigned long long)now, text,
		 (unsigned long long)(clock_ns(CLOCK_BOOTTIME) / 1000000000));
	return 0;
}

int host_machine(struct door *d, struct span argument, struct buf *ret)
{
	struct utsname name;

	(void)d;
	(void)argument;
	if (uname(&name) < 0)
		return -errno;
	buf_addf(ret, "%s\n", name.machine);
	return 0;
}

/* ---- the kernel's log ---- */

bool host_shares_kernel(struct door *d)
{
	static const char boot_id[] = "/proc/sys/kernel/random/boot_id";
	struct buf ours BUF_SCOPED = { 0 }, theirs BUF_SCOPED = { 0 };

	if (d->kind != DOOR_MOUNTED)
		return d->kind == DOOR_LIVE;
	return door_read(d, boot_id, DOOR_HEAD_MAX, &theirs) == 0 &&
	       fd_file(open(boot_id, O_RDONLY | O_CLOEXEC), DOOR_HEAD_MAX, &ours) == 0 &&
	       ours.len > 0 && span_same(buf_get(&ours), buf_get(&theirs));
}

int host_kernel_ring(struct door *d, struct buf *ret)
{
	int size, n;

	beacon_step(d->beacon, "kernel ring");
	size = klogctl(10 /* SYSLOG_ACTION_SIZE_BUFFER */, NULL, 0);
	if (size <= 0)
		return size < 0 ? -errno : -ENODATA;
	if (size > RING_MAX)
		size = RING_MAX;
	buf_room(ret, (size_t)size);
	n = klogctl(3 /* SYSLOG_ACTION_READ_ALL */, ret->data + ret->len, size);
	if (n < 0)
		return -errno;
	ret->len += (size_t)n;
	return 0;
}

int host_kernel_news(struct door *d)
{
	int fd;

	beacon_step(d->beacon, "/dev/kmsg");
	fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return -errno;
	(void)lseek(fd, 0, SEEK_END);
	return fd;
}

/* ---- numbers and sockets ---- */

int host_connections(void)
{
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);

	return fd < 0 ? -errno : fd;
}

int64_t host_ticks_ms(uint64_t ticks)
{
	return (int64_t)(ticks * 1000 / (uint64_t)sysconf(_SC_CLK_TCK));
}

int64_t host_page_bytes(uint64_t pages)
{
	return (int64_t)pages * sysconf(_SC_PAGESIZE);
}
