#include "check-facts.h"

#define AMDGPU                                                                              \
	"node /sys/module dir 0755 0:0 0:0\nnode /sys/module/amdgpu dir 0755 0:0 0:0\n"     \
	"file /sys/module/amdgpu/version\n\t6.10.5\nfile /proc/sys/kernel/osrelease\n\t6.8" \
	".0-60-generic\n"
#define DKMS "/var/lib/dkms/amdgpu"
#define LINK "link " DKMS "/kernel-6.8.0-60-generic-x86_64 "

#define VERSIONS "SELECT version, dkms_version, dkms_sources FROM driver WHERE name = 'amdgpu'"
#define GAPS     "SELECT standing, detail, source FROM gap WHERE topic = 'driver.dkms_version'"

static const struct facts_case cases[] = {
	{ "what is installed for this kernel, and what there are sources of",
	  AMDGPU "dir " DKMS "\n\t6.10.5-2084815.22.04/\n\t6.12.12-2194681.22.04/\n"
		 "\tkernel-6.8.0-59-generic-x86_64@\n\tkernel-6.8.0-60-generic-x86_64@\n" LINK
		 "6.12.12-2194681.22.04/6.8.0-60-generic/x86_64\n",
	  VERSIONS, "6.10.5|6.12.12|6.10.5 6.12.12" },
	{ "not installed for this kernel",
	  AMDGPU "dir " DKMS "\n\t6.12.12-2194681.22.04/\n\tkernel-6.8.0-59-generic-x86_64@\n",
	  VERSIONS, "6.10.5|-|6.12.12" },
	{ "a version without a build number",
	  AMDGPU "dir " DKMS "\n\tkernel-6.8.0-60-generic-x86_64@\n" LINK "6.12/x/y\n", VERSIONS,
	  "6.10.5|6.12|-" },
	{ "a link that leads nowhere we know",
	  AMDGPU "dir " DKMS "\n\tkernel-6.8.0-60-generic-x86_64@\n" LINK "/elsewhere\n", VERSIONS,
	  "6.10.5|-|-" },
	{ "a link that may not be read",
	  AMDGPU "dir " DKMS "\n\tkernel-6.8.0-60-generic-x86_64@\n" LINK "!EACCES\n", GAPS,
	  "denied|EACCES|" DKMS "/kernel-6.8.0-60-generic-x86_64" },
	{ "no DKMS is no gap", AMDGPU "dir " DKMS " !ENOENT\n", GAPS, "" },
	{ "a directory that may not be listed", AMDGPU "dir " DKMS " !EACCES\n", GAPS,
	  "denied|EACCES|" DKMS },
	{ "an old recording", AMDGPU, GAPS, "unasked|UNASKED|" DKMS },
};

int main(void)
{
	check_facts(cases, sizeof(cases) / sizeof(cases[0]));
	return check_end();
}
