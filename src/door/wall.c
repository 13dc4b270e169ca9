#include "door/wall.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/array.h"
#include "base/debug.h"

/* Landlock as of Linux 6.12: older headers lack it, and its numbers are the same everywhere. */
#define CREATE_RULESET 444
#define ADD_RULE       445
#define RESTRICT_SELF  446
#define ASK_VERSION    1
#define PATH_BENEATH   1

#define EXECUTE     (UINT64_C(1) << 0)
#define READ_FILE   (UINT64_C(1) << 2)
#define READ_DIR    (UINT64_C(1) << 3)
#define ALL_TCP     UINT64_C(3)
#define ALL_SCOPES  UINT64_C(3)
#define RIGHTS_OF_1 13 /* bits; later versions add the following */

struct ruleset {
	uint64_t files, tcp, scopes;
};

struct beneath {
	uint64_t access;
	int32_t directory;
} __attribute__((packed));

/* Paths that this program always reads, beside itself and its loaded libraries. */
static const char *const own[] = {
	"/etc/ld.so.cache", "/etc/ld.so.preload",  /* the loader */
	"/etc/localtime",   "/usr/share/zoneinfo", /* what day it is */
	"/dev/urandom",                            /* SQLite */
	"/etc/rocsteady",   "/var/lib/rocsteady",  /* the site's knowledge and acknowledgements */
	"/proc/self",                              /* sanitizers */
};

/* 1 to 3 have the rights 13, 14 and 15; 5 has the 16th. */
static struct ruleset everything(long version)
{
	unsigned int bits = RIGHTS_OF_1 + (version >= 2) + (version >= 3) + (version >= 5);

	return (struct ruleset){ (UINT64_C(1) << bits) - 1, version >= 4 ? ALL_TCP : 0,
				 version >= 6 ? ALL_SCOPES : 0 };
}

/* The kernel refuses a structure that is longer than its own, unless the rest is zero. */
static size_t length(long version)
{
	return version >= 6 ? sizeof(struct ruleset) : version >= 4 ? 16 : 8;
}

static void permit(int rules, int fd, uint64_t access)
{
	struct beneath rule = { access, fd };
	struct stat st;

	if (fstat(fd, &st) == 0 && !S_ISDIR(st.st_mode))
		rule.access &= ~READ_DIR;
	syscall(ADD_RULE, rules, PATH_BENEATH, &rule, 0);
}

static void permit_path(int rules, const char *path, uint64_t access)
{
	int fd = open(path, O_PATH | O_CLOEXEC);

	if (fd < 0)
		return;
	permit(rules, fd, access);
	close(fd);
}

/* The program has no name here, and is named by itself. */
static int permit_loaded(struct dl_phdr_info *info, size_t size, void *rules)
{
	(void)size;
	if (info->dlpi_name && strchr(info->dlpi_name, '/')) /* the vDSO has a name and no file */
		permit_path(*(int *)rules, info->dlpi_name, READ_FILE | EXECUTE);
	return 0;
}

bool wall_raise(const int *directories, size_t count)
{
	long version = syscall(CREATE_RULESET, NULL, (size_t)0, ASK_VERSION);
	struct ruleset all = everything(version);
	int rules = version < 1 ? -1 : (int)syscall(CREATE_RULESET, &all, length(version), 0);
	bool stands;

	if (rules < 0) {
		DEBUG(DEBUG_DOOR, 0, "no wall: this kernel has no Landlock (%s)", strerror(errno));
		return false;
	}
	for (size_t i = 0; i < COUNT(own); i++)
		permit_path(rules, own[i], READ_FILE | READ_DIR);
	permit_path(rules, "/proc/self/exe", READ_FILE | EXECUTE);
	dl_iterate_phdr(permit_loaded, &rules);
	for (size_t i = 0; i < count; i++)
		permit(rules, directories[i], READ_FILE | READ_DIR);
	stands = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
		 syscall(RESTRICT_SELF, rules, 0) == 0;
	close(rules);
	return stands;
}
