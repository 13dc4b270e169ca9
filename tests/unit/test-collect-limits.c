#include "check-facts.h"

#define ALICE "ask identity\n\thow this process\n\tprocess /proc/self\n\tuid 1000\n\tgid 1000\n"
#define LIMITS                                                                               \
	"file /proc/self/limits\n"                                                           \
	"\tLimit                     Soft Limit           Hard Limit           Units     \n" \
	"\tMax stack size            8388608              unlimited            bytes     \n" \
	"\tMax processes             127000               127000               processes \n" \
	"\tMax open files            1024                 1048576              files     \n" \
	"\tMax locked memory         8388608              8388608              bytes     \n" \
	"\tMax address space         unlimited            unlimited            bytes     \n"
#define TOP                   "/sys/fs/cgroup"
#define V2(path)              "file /proc/self/cgroup\n\t0::" path "\n"
#define SESSION               "/user.slice/user-1000.slice"
#define MAX(group, value)     "file " TOP group "/memory.max\n\t" value "\n"
#define CURRENT(group, value) "file " TOP group "/memory.current\n\t" value "\n"
#define NO_TOP                "file " TOP "/memory.max !ENOENT\n"
#define V1_TOP                TOP "/memory"
#define SHM                   "ask space /dev/shm\n\tsize 67108864\n\tfree 67108000\n"

#define ALL    "SELECT name, soft, hard, unit FROM resource_limit WHERE source LIKE '%limits'"
#define MEMORY "SELECT soft, used, source FROM resource_limit WHERE name = 'cgroup-memory'"
#define GAPS                                                                    \
	"SELECT topic, subject, standing FROM gap WHERE topic LIKE 'resource%'" \
	" AND subject LIKE 'cg%'"

static const struct facts_case cases[] = {
	{ "limits of the process, unlimited as NULL", ALICE LIMITS, ALL,
	  "memlock|8388608|8388608|bytes\nnofile|1024|1048576|count\nnproc|127000|127000|count\n"
	  "stack|8388608|-|bytes\nas|-|-|bytes" },
	{ "another process is closed", ALICE "file /proc/self/limits !EACCES\n",
	  "SELECT subject, standing FROM gap WHERE topic = 'resource_limit' AND source LIKE '%limits'",
	  "/proc/self|denied" },
	{ "a file without the lines", ALICE "file /proc/self/limits\n\tMax fun 1 1 bytes\n",
	  "SELECT count(*) FROM gap WHERE topic = 'resource_limit' AND standing = 'broken'", "5" },
	{ "a user without a process has no limits yet",
	  "ask identity\n\thow user\n\tuid 1\n\tgid 1\n" SHM,
	  "SELECT standing FROM gap WHERE topic = 'resource_limit'", "unasked" },

	{ "no limit at any level",
	  ALICE V2(SESSION) MAX(SESSION, "max") CURRENT(SESSION, "4096") MAX("/user.slice", "max")
		  NO_TOP,
	  MEMORY, "-|4096|" TOP SESSION "/memory.max" },
	{ "a limit of its own",
	  ALICE V2(SESSION) MAX(SESSION, "1073741824") CURRENT(SESSION, "4096")
		  MAX("/user.slice", "max") NO_TOP,
	  MEMORY, "1073741824|4096|" TOP SESSION "/memory.max" },
	{ "a tighter one above",
	  ALICE V2(SESSION) MAX(SESSION, "1073741824") MAX("/user.slice", "1048576")
		  CURRENT("/user.slice", "9") NO_TOP,
	  MEMORY, "1048576|9|" TOP "/user.slice/memory.max" },
	{ "in a container the top is its own group",
	  ALICE V2("/") MAX("", "8589934592") CURRENT("", "5"), MEMORY,
	  "8589934592|5|" TOP "/memory.max" },
	{ "a group seen from another namespace: only the top shows",
	  ALICE V2("/../../x") MAX("", "77") CURRENT("", "5"), MEMORY, "77|5|" TOP "/memory.max" },
	{ "no memory controller at all", ALICE V2("/") NO_TOP, MEMORY, "-|-|/proc/self/cgroup" },
	{ "a level that is closed may be the tight one",
	  ALICE V2(SESSION) MAX(SESSION, "max") "file " TOP
						"/user.slice/memory.max !EACCES\n" NO_TOP,
	  "SELECT (SELECT count(*) FROM resource_limit WHERE name LIKE 'cg%'), standing FROM gap"
	  " WHERE subject = 'cgroup-memory'",
	  "0|denied" },
	{ "no number", ALICE V2("/") MAX("", "lots"), GAPS, "resource_limit|cgroup-memory|broken" },

	{ "version 1, unlimited",
	  ALICE "file /proc/self/cgroup\n\t4:memory:/a\n\t0::/\n"
		"file " V1_TOP "/a/memory.limit_in_bytes\n\t9223372036854771712\n"
		"file " V1_TOP "/a/memory.usage_in_bytes\n\t12\n"
		"file " V1_TOP "/memory.limit_in_bytes\n\t9223372036854771712\n",
	  MEMORY, "-|12|" V1_TOP "/a/memory.limit_in_bytes" },
	{ "version 1 with 64 KiB pages",
	  ALICE "file /proc/self/cgroup\n\t4:memory:/\n"
		"file " V1_TOP "/memory.limit_in_bytes\n\t9223372036854710272\n"
		"file " V1_TOP "/memory.usage_in_bytes\n\t12\n",
	  "SELECT soft FROM resource_limit WHERE name = 'cgroup-memory'", "-" },
	{ "version 1 in docker: the path is the host's, the mount its own",
	  ALICE "file /proc/self/cgroup\n\t4:memory:/docker/3f8a\n"
		"dir " V1_TOP "\n\tmemory.limit_in_bytes\n\tmemory.usage_in_bytes\n"
		"file " V1_TOP "/memory.limit_in_bytes\n\t1048576\n"
		"file " V1_TOP "/memory.usage_in_bytes\n\t3\n",
	  MEMORY, "1048576|3|" V1_TOP "/memory.limit_in_bytes" },

	{ "shared memory: docker gives 64 MiB", ALICE SHM,
	  "SELECT soft, hard, used, unit FROM resource_limit WHERE name = 'shm'",
	  "67108864|67108864|864|bytes" },
	{ "no /dev/shm", "ask space /dev/shm !ENOENT\n",
	  "SELECT standing FROM gap WHERE subject = 'shm'", "absent" },
	{ "an answer without its numbers", "ask space /dev/shm\n\tsize x\n",
	  "SELECT standing FROM gap WHERE subject = 'shm'", "broken" },
	{ "it hangs", "ask space /dev/shm !STUCK\n",
	  "SELECT standing FROM gap WHERE subject = 'shm'", "stuck" },
};

int main(void)
{
	check_facts(cases, sizeof(cases) / sizeof(cases[0]));
	return check_end();
}
