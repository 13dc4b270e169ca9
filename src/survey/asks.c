#include "survey/asks.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "door/accounts.h"
#include "door/host.h"
#include "door/standing.h"
#include "door/subject.h"
#include "parse/pcie.h"
#include "survey/ask-code.h"
#include "survey/ask-environments.h"
#include "survey/ask-kernels.h"
#include "survey/ask-libraries.h"
#include "survey/ask-loads.h"
#include "survey/ask-packages.h"
#include "survey/drm-clients.h"
#include "survey/kernel-log.h"

/* The registers are root's to read; anyone else gets 64 bytes without them. */
static int pcie(struct door *d, struct span argument, struct buf *ret)
{
	struct buf config BUF_SCOPED = { 0 };
	struct pcie_registers p;
	char path[128];
	int r;

	if (argument.len > 20 || memchr(argument.data, '/', argument.len))
		return -EINVAL;
	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%.*s/config", (int)argument.len,
		 argument.data);
	r = door_read(d, path, PCIE_CONFIG_MAX, &config);
	if (r < 0)
		return r;
	if (!pcie_registers_parse(buf_get(&config), &p))
		return -ENODEV;
	if (!p.capabilities_reached)
		return -EACCES;
	buf_addf(ret, "port %u\nmax_speed %u\nmax_width %u\nspeed %u\nwidth %u\n", p.port,
		 p.max_speed, p.max_width, p.speed, p.width);
	if (p.has_devcap2)
		buf_addf(ret, "devcap2 0x%x\ndevctl2 0x%x\n", p.devcap2, p.devctl2);
	if (p.extended_reached)
		buf_addf(ret, "acs_cap 0x%x\nacs_ctl 0x%x\nresizable_bar %d\n",
			 p.has_acs ? p.acs_cap : 0, p.has_acs ? p.acs_ctl : 0, p.has_resizable_bar);
	return 0;
}

enum {
	PROCESS = 1,     /* about a process, user or container */
	WAKES = 2,       /* wakes the GPU of its argument */
	BRIEF = 4,       /* belongs into a brief snapshot */
	RESUMES = 8,     /* asked again after it got stuck, without what is stuck */
	ABOUT_FILE = 16, /* about one file or directory, its argument */
	SOFTWARE = 32,   /* about installed software: last in a snapshot */
	KERNEL = 128,    /* about the kernel that runs */
	ADDED = 64,      /* never answered here: root_add() brings the answer, or nobody */
};

static const struct {
	const char *verb;
	int (*answer)(struct door *d, struct span argument, struct buf *ret);
	unsigned int flags;
	const char *says;
} asks[] = {
	{ "clock", host_clock, PROCESS | BRIEF, "wall time and uptime" },
	{ "machine", host_machine, PROCESS | BRIEF, "the processor architecture" },
	{ "identity", subject_identity, PROCESS | BRIEF,
	  "who is judged; opens /proc/PID/status, /etc/passwd, /etc/group" },
	{ "environment", subject_environment, PROCESS | BRIEF,
	  "their variables that matter here; opens /proc/PID/environ" },
	{ "group", accounts_group, BRIEF, "the number of a named group; opens /etc/group" },
	{ "open", host_open_node, PROCESS | WAKES | BRIEF,
	  "what opening a GPU device node answers" },
	{ "acl", host_access_list, PROCESS, "the access list of a device node" },
	{ "kfd-version", host_kfd_version, PROCESS | BRIEF, "the KFD interface version, by ioctl" },
	{ "space", host_space, PROCESS, "size and free bytes of a mounted file system" },
	{ "pcie", pcie, WAKES,
	  "link, atomics and ACS registers of a PCI function; opens its config" },
	{ "drm-clients", drm_clients, PROCESS,
	  "processes that hold a DRM device; opens /proc/PID/fd, fdinfo, comm" },
	{ "kernel-log", kernel_log_ring, KERNEL,
	  "lines of the kernel ring about GPUs, memory, PCI" },
	{ "kernel-journal", kernel_log_journal, 0,
	  "the same lines of earlier boots too; opens /var/log/journal or /run/log/journal" },
	{ "kernel-file", kernel_log_file, 0, "the same lines from /var/log/kern.log or messages" },
	{ "code", ask_code, ABOUT_FILE | SOFTWARE | BRIEF,
	  "GPUs that a library or program holds code for; opens it and its kernel archives" },
	{ "kernels", ask_kernels, ABOUT_FILE | SOFTWARE,
	  "GPUs that a directory of kernels has files for; lists it and opens its index" },
	{ "libraries", ask_libraries, ABOUT_FILE | SOFTWARE | BRIEF,
	  "libraries of ROCm in a directory; lists it and opens .info/version" },
	{ "loads", ask_loads, ABOUT_FILE | SOFTWARE | RESUMES,
	  "libraries that the loader would take for a file; opens them and ld.so.cache" },
	{ "environments", ask_environments, BRIEF | RESUMES,
	  "Python environments and applications; looks into ~, /opt, /srv, /usr, unit files" },
	{ "memory", NULL, ADDED | BRIEF, "memory and commit limit of a machine with Windows" },
	{ "expected", NULL, ADDED | BRIEF, "what --expect says that the machine has" },
	{ "probe", NULL, ADDED | BRIEF, "what a walk of rocsteady probe found" },
	{ "packages", ask_packages, ABOUT_FILE | SOFTWARE | BRIEF,
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

bool asks_is_about_kernel(const char *question)
{
	int i = find(question);

	return i >= 0 && asks[i].flags & KERNEL;
}

bool asks_is_about_process(const char *question)
{
	int i = find(question);

	return i >= 0 && asks[i].flags & PROCESS;
}

bool asks_wakes(const char *question)
{
	int i = find(question);

	return i >= 0 && asks[i].flags & WAKES;
}

/* The libraries that most failures depend on: one in each environment, and ROCm's runtime. */
static bool is_main_code(const char *question)
{
	static const char *const names[] = { "/libtorch_hip.so", "/libggml-hip.so",
					     "/libamdhip64.so", "/librocblas.so" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strstr(question, names[i]))
			return true;
	return false;
}

/* A brief snapshot does not open render nodes: their mode and group say enough. */
bool asks_is_brief(const char *question)
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

bool asks_is_added(const char *question)
{
	int i = find(question);

	return i >= 0 && asks[i].flags & ADDED;
}

bool asks_is_about_file(const char *question)
{
	int i = find(question);
	const char *argument = strchr(question, ' ');

	return i >= 0 && asks[i].flags & ABOUT_FILE && argument && argument[1] == '/';
}

bool asks_is_about_software(struct span question)
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
