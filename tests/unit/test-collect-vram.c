#include "check-facts.h"

#define PCI   "/sys/bus/pci/devices/0000:03:00.0"
#define NODES "/sys/class/kfd/kfd/topology/nodes"
#define PROC  "/sys/class/kfd/kfd/proc"

/* Two agents on one function: a partitioned GPU. */
#define AGENTS                                                             \
	"dir " NODES "\n\t1/\n\t2/\n"                                      \
	"file " NODES "/1/gpu_id\n\t11\nfile " NODES "/2/gpu_id\n\t22\n"   \
	"file " NODES "/1/properties\n\tsimd_count 4\n\tlocation_id 768\n" \
	"file " NODES "/2/properties\n\tsimd_count 4\n\tlocation_id 769\n"

#define GPU(used)                                                         \
	"dir /sys/bus/pci/devices\n\t0000:03:00.0@\n"                     \
	"link " PCI " ../../../devices/pci0000:00/0000:03:00.0\n"         \
	"file " DEV "/vendor\n\t0x1002\nfile " DEV "/class\n\t0x030000\n" \
	"file " DEV "/device\n\t0x744c\n"                                 \
	"link " DEV "/driver ../../../bus/pci/drivers/amdgpu\n"           \
	"file " DEV "/mem_info_vram_used" used AGENTS "dir " DEV "/drm\n\tcard1/\n\trenderD128/\n"

#define DEV "/sys/devices/pci0000:00/0000:03:00.0"

/* The inode of the first pid namespace is the same on every machine. */
#define HOST  "link /proc/self/ns/pid pid:[4026531836]\n"
#define INNER "link /proc/self/ns/pid pid:[4026532700]\n"

#define NOBODY    "dir " PROC "\n"
#define NO_CLIENT "ask drm-clients\n\tdenied 0\n"
#define JOB(pid)                                       \
	"dir " PROC "\n\t" pid "/\ndir " PROC "/" pid  \
	"\n\tpasid\n\tvram_11\n\tvram_22\n\tsdma_11\n" \
	"file " PROC "/" pid "/vram_11\n\t1000\nfile " PROC "/" pid "/vram_22\n\t24\n"
#define COMM(pid, name) "file /proc/" pid "/comm\n\t" name "\n"

#define FD(process, client, kib)                                                  \
	"\tprocess " process "\n\tdrm-driver:\tamdgpu\n\tdrm-client-id:\t" client \
	"\n\tdrm-pdev:\t0000:03:00.0\n\tdrm-memory-vram:\t" kib " KiB\n"

#define OWNERS   "SELECT share, pid, command, bytes FROM vram_owner"
#define ORPHANED "SELECT bytes, orphaned FROM vram_owner WHERE share = 'rest'"
#define GAPS     "SELECT subject, standing, detail FROM gap WHERE topic = 'vram_owner'"

static const struct facts_case cases[] = {
	{ "a job holds the memory of both partitions of its GPU",
	  GPU("\n\t5000\n") HOST JOB("77") COMM("77", "python3") NO_CLIENT, OWNERS,
	  "kfd|77|python3|1024\nrest|-|-|3976" },
	{ "and leaves no gap", GPU("\n\t5000\n") HOST JOB("77") COMM("77", "python3") NO_CLIENT,
	  "SELECT topic, detail FROM gap WHERE topic GLOB 'vram*'", "" },
	{ "in a container the same number is another process, and is not asked for its name",
	  GPU("\n\t5000\n") INNER JOB("77") COMM("77", "innocent") NO_CLIENT, OWNERS,
	  "kfd-outside|77|-|1024\nrest|-|-|3976" },
	{ "nor where the namespace is not known",
	  GPU("\n\t5000\n") JOB("77") COMM("77", "innocent") NO_CLIENT, OWNERS,
	  "kfd-outside|77|-|1024\nrest|-|-|3976" },
	{ "a process that ended meanwhile is no fault",
	  GPU("\n\t0\n") HOST "dir " PROC "\n\t77/\ndir " PROC "/77 !ENOENT\n" NO_CLIENT, GAPS,
	  "" },
	{ "a process that is gone while its memory is not",
	  GPU("\n\t5000\n") HOST JOB("77") "file /proc/77/comm !ENOENT\n" NO_CLIENT,
	  "SELECT pid, command, (SELECT standing FROM gap WHERE topic = 'vram_owner.command')"
	  " FROM vram_owner WHERE share = 'kfd'",
	  "77|-|absent" },
	{ "a monitor that has /dev/kfd open holds nothing",
	  GPU("\n\t10\n") HOST "dir " PROC "\n\t5/\ndir " PROC "/5\n\tvram_11\n"
			       "file " PROC "/5/vram_11\n\t0\n" NO_CLIENT,
	  OWNERS, "rest|-|-|10" },
	{ "further contexts of a process are its memory too",
	  GPU("\n\t9\n") HOST "dir " PROC "\n\t5/\ndir " PROC "/5\n\tvram_11\n\tcontext_1/\n"
			      "file " PROC "/5/vram_11\n\t3\ndir " PROC "/5/context_1\n\tvram_11\n"
			      "file " PROC "/5/context_1/vram_11\n\t4\n" COMM("5", "x") NO_CLIENT,
	  OWNERS, "kfd|5|x|7\nrest|-|-|2" },
	{ "a client that several descriptors show counts once",
	  GPU("\n\t8192\n") HOST NOBODY "ask drm-clients\n" FD("9 0 Xorg", "1", "2")
		  FD("9 0 Xorg", "1", "2") FD("9 0 Xorg", "2", "1") "\tdenied 0\n",
	  OWNERS, "drm|9|Xorg|3072\nrest|-|-|5120" },
	{ "logind keeps the descriptor that the compositor uses",
	  GPU("\n\t4096\n") HOST NOBODY "ask drm-clients\n" FD("1 0 systemd-logind", "1", "2")
		  FD("9 7 gnome-shell", "1", "2") "\tdenied 0\n",
	  OWNERS, "drm|9|gnome-shell|2048\nrest|-|-|2048" },
	{ "KFD's memory shows in the fdinfo of the same process: only the surplus is DRM's",
	  GPU("\n\t5120\n") HOST JOB("77")
		  COMM("77", "job") "ask drm-clients\n" FD("77 0 job", "1", "3") "\tdenied 0\n",
	  OWNERS, "kfd|77|job|1024\ndrm|77|job|2048\nrest|-|-|2048" },
	{ "buffers on the other GPUs of a hive cannot be more than there is",
	  GPU("\n\t2048\n") HOST JOB("77") COMM("77", "job") "ask drm-clients\n" FD(
		  "77 0 job", "1", "800000000") "\tdenied 0\n",
	  OWNERS, "kfd|77|job|1024\ndrm|77|job|1024\nrest|-|-|0" },
	{ "from inside a container any client may be one of the outside processes",
	  GPU("\n\t9000\n") INNER JOB("4242") "ask drm-clients\n" FD("7 0 job", "1", "1")
		  FD("8 0 other", "2", "2") "\tdenied 0\n",
	  OWNERS, "kfd-outside|4242|-|1024\ndrm|8|other|2048\nrest|-|-|5928" },
	{ "more than all: rest is 0 and not negative",
	  GPU("\n\t100\n") HOST JOB("77") COMM("77", "apu") NO_CLIENT, OWNERS,
	  "kfd|77|apu|1024\nrest|-|-|0" },
	{ "another vendor's client",
	  GPU("\n\t1\n") HOST NOBODY
	  "ask drm-clients\n\tprocess 9 0 Xorg\n\tdrm-driver:\ti915\n"
	  "\tdrm-pdev:\t0000:00:02.0\n\tdrm-client-id:\t1\n\tdrm-total-system0:\t4 KiB\n"
	  "\tdenied 0\n",
	  OWNERS, "rest|-|-|1" },
	{ "what an idle MI300X keeps is nobody's loss",
	  GPU("\n\t297771008\n") HOST NOBODY NO_CLIENT, ORPHANED, "297771008|0" },
	{ "memory that nobody can hold", GPU("\n\t48350887936\n") HOST NOBODY NO_CLIENT, ORPHANED,
	  "48350887936|1" },
	{ "a monitoring agent with /dev/kfd open does not hide it",
	  GPU("\n\t48350887936\n") HOST "dir " PROC "\n\t5/\ndir " PROC "/5\n\tvram_11\n"
					"file " PROC "/5/vram_11\n\t0\n" NO_CLIENT,
	  ORPHANED, "48350887936|1" },
	{ "a compute process may hold more than is counted",
	  GPU("\n\t48350887936\n") HOST JOB("77") COMM("77", "x") NO_CLIENT, ORPHANED,
	  "48350886912|0" },
	{ "processes that could not be looked into may hold it",
	  GPU("\n\t48350887936\n") HOST NOBODY "ask drm-clients\n\tdenied 3\n", ORPHANED,
	  "48350887936|-" },
	{ "and that is said", GPU("\n\t1\n") HOST NOBODY "ask drm-clients\n\tdenied 3\n", GAPS,
	  "|denied|3 processes could not be looked into" },
	{ "a monitor's framebuffers may",
	  GPU("\n\t48350887936\n") HOST NOBODY NO_CLIENT
	  "dir " DEV "/drm/card1\n\tcard1-DP-1/\n"
	  "file " DEV "/drm/card1/card1-DP-1/status\n\tconnected\n",
	  ORPHANED, "48350887936|0" },
	{ "without a card nobody knows of monitors",
	  GPU("\n\t48350887936\n") HOST NOBODY NO_CLIENT "dir " DEV "/drm !ENOENT\n", ORPHANED,
	  "48350887936|-" },
	{ "from a container nothing is orphaned", GPU("\n\t48350887936\n") INNER NOBODY NO_CLIENT,
	  ORPHANED, "48350887936|-" },
	{ "an old kernel does not tell a client's memory",
	  GPU("\n\t48350887936\n") HOST NOBODY
	  "ask drm-clients\n\tprocess 9 0 vulkan\n\tdenied 0\n",
	  ORPHANED, "48350887936|-" },
	{ "no list of clients", GPU("\n\t5\n") HOST NOBODY "ask drm-clients !EACCES\n", GAPS,
	  "|denied|EACCES" },
	{ "no list of compute processes", GPU("\n\t5\n") HOST "dir " PROC " !ENOENT\n" NO_CLIENT,
	  GAPS, "|absent|ENOENT" },
	{ "a share that is no number",
	  GPU("\n\t5\n") HOST "dir " PROC "\n\t5/\ndir " PROC "/5\n\tvram_11\n"
			      "file " PROC "/5/vram_11\n\t-1\n" NO_CLIENT,
	  GAPS, PROC "/5/vram_11|broken|EBADMSG" },
	{ "a share that hangs",
	  GPU("\n\t5\n") HOST "dir " PROC "\n\t5/\ndir " PROC "/5\n\tvram_11\n"
			      "file " PROC "/5/vram_11 !STUCK\n" NO_CLIENT,
	  GAPS, PROC "/5/vram_11|stuck|STUCK" },
	{ "a GPU that is not offered here",
	  GPU("\n\t5\n") HOST "dir " PROC "\n\t5/\n"
			      "dir " PROC "/5\n\tvram_33\n" NO_CLIENT,
	  GAPS, PROC "|unasked|memory of GPUs that are not offered here" },
	{ "memory in use that is not known", GPU(" !EIO\n") HOST NOBODY NO_CLIENT, GAPS,
	  "0000:03:00.0|absent|the memory in use is not known" },
	{ "numbers that no column could hold",
	  GPU("\n\t5\n") HOST "dir " PROC "\n\t5/\ndir " PROC "/5\n\tvram_11\n\tvram_22\n"
			      "file " PROC "/5/vram_11\n\t18446744073709551615\n"
			      "file " PROC "/5/vram_22\n\t18446744073709551615\n" COMM("5", "x")
				      NO_CLIENT,
	  "SELECT bytes FROM vram_owner WHERE share = 'kfd'", "9223372036854775807" },
	{ "a GPU that the bus does not show", AGENTS HOST JOB("77") COMM("77", "x") NO_CLIENT,
	  "SELECT address, share, bytes FROM vram_owner", "0000:03:00.0|kfd|1024" },
};

int main(void)
{
	check_facts(cases, sizeof(cases) / sizeof(cases[0]));
	return check_end();
}
