#include "survey/asks.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"
#include "door/accounts.h"
#include "door/standing.h"
#include "door/subject.h"
#include "parse/acl.h"
#include "parse/pcie.h"
#include "survey/ask-code.h"
#include "survey/ask-environments.h"
#include "survey/ask-kernels.h"
#include "survey/ask-libraries.h"
#include "survey/ask-loads.h"
#include "survey/ask-packages.h"
#include "survey/drm-clients.h"
#include "survey/kernel-log.h"

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

static int open_node(struct door *d, struct span argument, struct buf *ret)
{
	char path[256];
	int fd;
	int r = gpu_node(argument, path, sizeof(path));

	if (r < 0)
		return r;
	if (d->options.no_open)
		return ROOT_UNASKED;
	beacon_step(d->beacon, path);
	fd = subject_open(d, path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW);
	if (fd < 0)
		return fd;
	close(fd);
	buf_text(ret, "opened\n");
	return 0;
}

static int kfd_version(struct door *d, struct span argument, struct buf *ret)
{
	struct kfd_version version = { 0 };
	int fd;
	int r;

	(void)argument;
	if (d->options.no_open)
		return ROOT_UNASKED;
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

static int access_list(struct door *d, struct span argument, struct buf *ret)
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

static int space(struct door *d, struct span argument, struct buf *ret)
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

static int clock_now(struct door *d, struct span argument, struct buf *ret)
{
	struct timespec up = { 0 };
	time_t now = time(NULL);
	struct tm utc;
	char text[32];

	(void)d;
	(void)argument;
	gmtime_r(&now, &utc);
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &utc);
	clock_gettime(CLOCK_BOOTTIME, &up);
	buf_addf(ret, "wall %lld %s\nuptime %lld\n", (long long)now, text, (long long)up.tv_sec);
	return 0;
}

static int machine(struct door *d, struct span argument, struct buf *ret)
{
	struct utsname name;

	(void)d;
	(void)argument;
	if (uname(&name) < 0)
		return -errno;
	buf_addf(ret, "%s\n", name.machine);
	return 0;
}

static void write_registers(const struct pcie_registers *r, struct buf *ret)
{
	buf_addf(ret, "port %u\nmax_speed %u\nmax_width %u\nspeed %u\nwidth %u\n", r->port,
		 r->max_speed, r->max_width, r->speed, r->width);
	if (r->has_devcap2)
		buf_addf(ret, "devcap2 0x%x\ndevctl2 0x%x\n", r->devcap2, r->devctl2);
	if (r->extended_reached)
		buf_addf(ret, "acs_cap 0x%x\nacs_ctl 0x%x\nresizable_bar %d\n",
			 r->has_acs ? r->acs_cap : 0, r->has_acs ? r->acs_ctl : 0,
			 r->has_resizable_bar);
}

/* The registers are root's to read; anyone else gets 64 bytes without them. */
static int pcie(struct door *d, struct span argument, struct buf *ret)
{
	struct buf config BUF_SCOPED = { 0 };
	struct pcie_registers registers;
	char path[128];
	int r;

	if (argument.len > 20 || memchr(argument.data, '/', argument.len))
		return -EINVAL;
	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%.*s/config", (int)argument.len,
		 argument.data);
	r = door_read(d, path, PCIE_CONFIG_MAX, &config);
	if (r < 0)
		return r;
	if (!pcie_registers_parse(buf_get(&config), &registers))
		return -ENODEV;
	if (!registers.capabilities_reached)
		return -EACCES;
	write_registers(&registers, ret);
	return 0;
}

enum {
	PROCESS = 1,   /* about a process, user or container */
	WAKES = 2,     /* wakes the GPU of its argument */
	BRIEF = 4,     /* belongs into a brief snapshot */
	RESUMES = 8,   /* asked again after it got stuck, without what is stuck */
	FILE_OF = 16,  /* about one file or directory, its argument */
	SOFTWARE = 32, /* about installed software: last in a snapshot */
	GIVEN = 64,    /* never answered here: root_add() brings the answer, or nobody */
};

static const struct {
	const char *verb;
	int (*answer)(struct door *d, struct span argument, struct buf *ret);
	unsigned int flags;
	const char *says;
} asks[] = {
	{ "clock", clock_now, PROCESS | BRIEF, "wall time and uptime" },
	{ "machine", machine, PROCESS | BRIEF, "the processor architecture" },
	{ "identity", subject_identity, PROCESS | BRIEF,
	  "who is judged; opens /proc/PID/status, /etc/passwd, /etc/group" },
	{ "environment", subject_environment, PROCESS | BRIEF,
	  "their variables that matter here; opens /proc/PID/environ" },
	{ "group", accounts_group, BRIEF, "the number of a named group; opens /etc/group" },
	{ "open", open_node, PROCESS | WAKES | BRIEF, "what opening a GPU device node answers" },
	{ "acl", access_list, PROCESS, "the access list of a device node" },
	{ "kfd-version", kfd_version, PROCESS | BRIEF, "the KFD interface version, by ioctl" },
	{ "space", space, PROCESS, "size and free bytes of a mounted file system" },
	{ "pcie", pcie, WAKES,
	  "link, atomics and ACS registers of a PCI function; opens its config" },
	{ "drm-clients", drm_clients, PROCESS,
	  "processes that hold a DRM device; opens /proc/PID/fd, fdinfo, comm" },
	{ "kernel-log", kernel_log_ring, PROCESS,
	  "lines of the kernel ring about GPUs, memory, PCI" },
	{ "kernel-journal", kernel_log_journal, 0,
	  "the same lines of earlier boots too; opens /var/log/journal or /run/log/journal" },
	{ "kernel-file", kernel_log_file, 0, "the same lines from /var/log/kern.log or messages" },
	{ "code", ask_code, FILE_OF | SOFTWARE | BRIEF,
	  "GPUs that a library or program holds code for; opens it and its kernel archives" },
	{ "kernels", ask_kernels, FILE_OF | SOFTWARE,
	  "GPUs that a directory of kernels has files for; lists it and opens its index" },
	{ "libraries", ask_libraries, FILE_OF | SOFTWARE | BRIEF,
	  "libraries of ROCm in a directory; lists it and opens .info/version" },
	{ "loads", ask_loads, FILE_OF | SOFTWARE | RESUMES,
	  "libraries that the loader would take for a file; opens them and ld.so.cache" },
	{ "environments", ask_environments, BRIEF | RESUMES,
	  "Python environments and applications; looks into ~, /opt, /srv, /usr, unit files" },
	{ "probe", NULL, GIVEN | BRIEF, "what a walk of rocsteady probe found" },
	{ "packages", ask_packages, FILE_OF | SOFTWARE | BRIEF,
	  "GPU frameworks in a site-packages directory; opens metadata, RECORD, version files, pyvenv.cfg, conda-meta" },
};

static int find(const char *question)
{
	size_t n = strcspn(question, " ");

	for (size_t i = 0; i < sizeof(asks) / sizeof(asks[0]); i++)
		if (strlen(asks[i].verb) == n && strncmp(asks[i].verb, question, n) == 0)
			return (int)i;
	return -1;
}

bool asks_process(const char *question)
{
	int i = find(question);

	return i >= 0 && asks[i].flags & PROCESS;
}

bool asks_wakes(const char *question)
{
	int i = find(question);

	return i >= 0 && asks[i].flags & WAKES;
}

/* The libraries that most failures turn on: one in each environment, and ROCm's runtime. */
static bool is_main_code(const char *question)
{
	static const char *const names[] = { "/libtorch_hip.so", "/libggml-hip.so",
					     "/libamdhip64.so", "/librocblas.so" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strstr(question, names[i]))
			return true;
	return false;
}

/* Of 64 render nodes the mode and group say enough; whether KFD opens is the question. */
bool asks_brief(const char *question)
{
	int i = find(question);

	if (i < 0 || !(asks[i].flags & BRIEF) || strncmp(question, "open /dev/dri/", 14) == 0)
		return false;
	return strncmp(question, "code ", 5) != 0 || is_main_code(question);
}

bool asks_resumes(const char *question)
{
	int i = find(question);

	return i >= 0 && asks[i].flags & RESUMES;
}

bool asks_given(const char *question)
{
	int i = find(question);

	return i >= 0 && asks[i].flags & GIVEN;
}

bool asks_of_file(const char *question)
{
	int i = find(question);
	const char *argument = strchr(question, ' ');

	return i >= 0 && asks[i].flags & FILE_OF && argument && argument[1] == '/';
}

bool asks_software(struct span question)
{
	struct span verb;

	if (!span_word(&question, &verb))
		return false;
	for (size_t i = 0; i < sizeof(asks) / sizeof(asks[0]); i++)
		if (span_is(verb, asks[i].verb))
			return asks[i].flags & SOFTWARE;
	return false;
}

int asks_answer(struct door *d, const char *question, struct buf *ret)
{
	int i = find(question);
	const char *argument = strchr(question, ' ');

	if (i < 0 || !asks[i].answer)
		return -EINVAL;
	return asks[i].answer(d, span_of(argument ? argument + 1 : ""), ret);
}

void asks_table(struct buf *ret)
{
	for (size_t i = 0; i < sizeof(asks) / sizeof(asks[0]); i++)
		if (asks[i].answer)
			buf_addf(ret, "%-16s %s\n", asks[i].verb, asks[i].says);
}
