/*
 * Machines with more of something than anybody has. Where there is no bound the
 * last one is there; where there is one, a gap says so.
 */

#include "check-facts.h"

#define GPU "/sys/bus/pci/devices/0000:03:00.0"
#define CARD                                                           \
	"dir /sys/bus/pci/devices\n\t0000:03:00.0@\nlink " GPU         \
	" ../../../devices/pci0000:00/0000:03:00.0\n"                  \
	"file /sys/devices/pci0000:00/0000:03:00.0/vendor\n\t0x1002\n" \
	"file /sys/devices/pci0000:00/0000:03:00.0/class\n\t0x030000\n"
#define REAL "/sys/devices/pci0000:00/0000:03:00.0"
#define KFD  "/sys/class/kfd/kfd/topology/nodes"

/* `each` once for every number, which stands for %zu, between `before` and `behind`. */
static const struct {
	const char *why;
	const char *before, *each;
	size_t count;
	const char *behind;
	const char *sql;
	const char *want;
} cases[] = {
	{ "firmware of a GPU", CARD "dir " REAL "/fw_version\n", "\ta%zu_fw_version\n", 200,
	  "file " REAL "/fw_version/a199_fw_version\n\t0x1\n", "SELECT name FROM firmware",
	  "a199" },
	{ "connectors of a card: a monitor at the last one",
	  CARD "dir " REAL "/drm\n\tcard0/\ndir " REAL "/drm/card0\n", "\tcard0-DP-%zu/\n", 100,
	  "file " REAL "/drm/card0/card0-DP-99/status\n\tconnected\n",
	  "SELECT display_attached FROM gpu", "1" },
	{ "versions of gcc", "dir /usr/include/c++\n\t99\ndir /usr/lib/gcc/x86_64-linux-gnu\n",
	  "\t%zu/\n", 100, "node /usr/lib/gcc/x86_64-linux-gnu/99/crtbegin.o file 0644 0:0 0:0\n",
	  "SELECT gcc FROM cxx_headers", "99" },
	{ "variables of a process", "ask environment\n", "\tHSA_%zu=1\n", 5000, "",
	  "SELECT count(*) FROM env WHERE subject = 'identity'", "5000" },
	{ "banks of an agent",
	  "dir " KFD "\n\t1/\nfile " KFD "/1/gpu_id\n\t7\n"
	  "file " KFD "/1/properties\n\tsimd_count 4\n\tmem_banks_count 65\n",
	  "file " KFD "/1/mem_banks/%zu/properties\n\theap_type 1\n\tsize_in_bytes 1\n", 65, "",
	  "SELECT standing, detail FROM gap WHERE topic = 'agent.memory_bytes'", "broken|EFBIG" },
	{ "processes that compute", "dir /sys/class/kfd/kfd/proc\n", "\t%zu/\n", 4097, "",
	  "SELECT standing FROM gap WHERE topic = 'vram_owner' AND detail = 'too many processes'",
	  "unasked" },
	{ "render nodes", "dir /dev\n\tdri/\ndir /dev/dri\n", "\trenderD%zu\n", 1025, "",
	  "SELECT subject, standing FROM gap WHERE topic = 'device_node' AND detail = 'too many nodes'",
	  "/dev/dri/renderD1024|unasked" },
	{ "a deep control group: the limit of the topmost one counts",
	  "ask identity\n\thow this process\n\tprocess /proc/self\n\tuid 1\n\tgid 1\n"
	  "file /sys/fs/cgroup/a/memory.max\n\t4096\nfile /proc/self/cgroup\n\t0::/a",
	  "/%zu", 100, "\n", "SELECT soft FROM resource_limit WHERE name = 'cgroup-memory'",
	  "4096" },
	{ "a path of a control group that is longer than any",
	  "ask identity\n\thow this process\n\tprocess /proc/self\n\tuid 1\n\tgid 1\n"
	  "file /proc/self/cgroup\n\t0::/a",
	  "/%zu", 2000, "\n",
	  "SELECT standing, detail FROM gap WHERE topic = 'resource_limit' AND subject = 'cgroup-memory' AND standing = 'broken'",
	  "broken|ENAMETOOLONG" },
	{ "lines of the kernel's log, of which the middle was left out",
	  "ask kernel-log\n\t. - 1 6 amdgpu 0000:03:00.0: amdgpu: GPU reset begin!\n"
	  "\t... 120 left out\n",
	  "\t. - 2%zu 6 amdgpu 0000:03:00.0: amdgpu: GPU reset begin!\n", 2, "",
	  "SELECT subject, standing, detail FROM gap WHERE topic = 'kernel_log' AND subject = 'kernel-log'",
	  "kernel-log|unasked|120 left out" },
	{ "answers of a walk",
	  "ask probe\n\twalk 1 1763190000 system\n\thip.init - all answered 31\n",
	  "\tleft %zu answers\n", 1, "",
	  "SELECT topic, standing, detail FROM gap WHERE topic LIKE 'probe%'",
	  "probe|unasked|left 0 answers\nprobe_value|unasked|left 0 answers" },
	{ "packages of a site",
	  "ask environments\n\tenv venv /v 3.12\n\tsite /v/lib/python3.12/site-packages\n"
	  "ask packages /v/lib/python3.12/site-packages\n",
	  "\tpackage tf-nightly-%zu 1.0 x\n", 200, "",
	  "SELECT standing, detail FROM gap WHERE topic = 'framework' AND detail LIKE 'more%'",
	  "broken|more packages, or lines of one, than are looked at" },
	{ "libraries of a package",
	  "ask environments\n\tenv venv /v 3.12\n\tsite /v/lib/python3.12/site-packages\n"
	  "ask packages /v/lib/python3.12/site-packages\n\tpackage torch 2.4.1 x\n",
	  "\tlibrary torch torch/%zu.so\n", 1025, "",
	  "SELECT standing, detail FROM gap WHERE topic = 'framework' AND detail LIKE 'more%'",
	  "broken|more packages, or lines of one, than are looked at" },
};

int main(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct buf records BUF_SCOPED = { 0 };
		const char *number = strstr(cases[i].each, "%zu");
		struct facts *facts;
		const char *got;

		buf_text(&records, cases[i].before);
		for (size_t n = 0; n < cases[i].count; n++)
			buf_addf(&records, "%.*s%zu%s", (int)(number - cases[i].each),
				 cases[i].each, n, number + 3);
		buf_text(&records, cases[i].behind);
		facts = facts_of(records.data);
		got = answer_of(facts, cases[i].sql);
		if (!check_note(strcmp(got, cases[i].want) == 0, __FILE__, __LINE__, cases[i].why))
			printf("  got  \"%s\"\n  want \"%s\"\n", got, cases[i].want);
		facts_free(facts);
	}
	answer_of(NULL, NULL);
	return check_end();
}
