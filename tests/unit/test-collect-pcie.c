#include "check-facts.h"

#define BUS  "/sys/bus/pci/devices"
#define HOST "/sys/devices/pci0000:00"

/* A Radeon in a slot of four lanes: GPU, the card's own switch, root port. */
#define PORT "0000:00:01.1"
#define UP   "0000:01:00.0"
#define DOWN "0000:02:00.0"
#define GPU  "0000:03:00.0"

#define AT_PORT HOST "/" PORT
#define AT_UP   AT_PORT "/" UP
#define AT_DOWN AT_UP "/" DOWN
#define AT_GPU  AT_DOWN "/" GPU

#define FUNCTION(at, vendor, device) \
	"file " at "/vendor\n\t" vendor "\nfile " at "/device\n\t" device "\n"

#define LINK(at, speed, width, max_speed, max_width)                                              \
	"file " at "/current_link_speed\n\t" speed "\nfile " at "/current_link_width\n\t" width   \
	"\nfile " at "/max_link_speed\n\t" max_speed "\nfile " at "/max_link_width\n\t" max_width \
	"\n"

#define TREE                                                                                  \
	"dir " BUS "\n\t" PORT "@\n\t" UP "@\n\t" DOWN "@\n\t" GPU "@\n"                      \
	"link " BUS "/" PORT " ../../../devices/pci0000:00/" PORT "\n"                        \
	"link " BUS "/" UP " ../../../devices/pci0000:00/" PORT "/" UP "\n"                   \
	"link " BUS "/" DOWN " ../../../devices/pci0000:00/" PORT "/" UP "/" DOWN "\n"        \
	"link " BUS "/" GPU " ../../../devices/pci0000:00/" PORT "/" UP "/" DOWN "/" GPU "\n" \
	"file " AT_PORT "/class\n\t0x060400\nfile " AT_UP "/class\n\t0x060400\n"              \
	"file " AT_DOWN "/class\n\t0x060400\nfile " AT_GPU "/class\n\t0x030000\n"

#define LINKS                                                         \
	LINK(AT_PORT, "16.0 GT/s PCIe", "4", "32.0 GT/s PCIe", "16")  \
	LINK(AT_UP, "16.0 GT/s PCIe", "4", "16.0 GT/s PCIe", "16")    \
	LINK(AT_DOWN, "16.0 GT/s PCIe", "16", "16.0 GT/s PCIe", "16") \
	LINK(AT_GPU, "2.5 GT/s PCIe", "16", "16.0 GT/s PCIe", "16")

#define IDS                                   \
	FUNCTION(AT_PORT, "0x1022", "0x14db") \
	FUNCTION(AT_UP, "0x1002", "0x1478")   \
	FUNCTION(AT_DOWN, "0x1002", "0x1479") FUNCTION(AT_GPU, "0x1002", "0x744c")

#define ASKS                                                                                       \
	"ask pcie " PORT "\n\tport 4\n\tdevcap2 0x9c0\n\tdevctl2 0x0\n\tacs_cap 0x1f\n\tacs_ctl "  \
	"0x1d\n"                                                                                   \
	"ask pcie " UP "\n\tport 5\n\tdevcap2 0x40\n\tdevctl2 0x0\n\tacs_cap 0x0\n\tacs_ctl 0x0\n" \
	"ask pcie " DOWN "\n\tport 6\n\tdevcap2 0x40\n\tdevctl2 0x80\n"                            \
	"ask pcie " GPU "\n\tport 1\n\tdevcap2 0x180\n\tdevctl2 0x40\n\tacs_ctl 0x0\n"

#define DENIED                                                                            \
	"ask pcie " PORT " !EACCES\nask pcie " UP " !EACCES\nask pcie " DOWN " !EACCES\n" \
	"ask pcie " GPU " !EACCES\n"

/* A GPU whose directory is no link: one hop. */
#define BARE                                         \
	"dir " BUS "\n\t" GPU "/\nfile " BUS "/" GPU \
	"/class\n\t0x120000\n" FUNCTION(BUS "/" GPU, "0x1002", "0x74b5")

static const struct facts_case cases[] = {
	{ "the way up, and where the card ends", TREE IDS LINKS ASKS,
	  "SELECT hop, address, vendor_id, device_id, slot, port, speed_gts, width, max_speed_gts,"
	  " max_width, gpu FROM pcie",
	  "0|" GPU "|1002|744c|0|1|2.5|16|16.0|16|" GPU "\n"
	  "1|" DOWN "|1002|1479|0|6|16.0|16|16.0|16|" GPU "\n"
	  "2|" UP "|1002|1478|1|5|16.0|4|16.0|16|" GPU "\n"
	  "3|" PORT "|1022|14db|0|4|16.0|4|32.0|16|" GPU },
	{ "atomics: the lower port could pass them on and blocks them", TREE IDS LINKS ASKS,
	  "SELECT hop, atomics_route, atomics_32, atomics_64, atomics_request, acs FROM pcie",
	  "0|0|1|1|1|0\n1|0|0|0|0|-\n2|1|0|0|0|0\n3|1|1|1|0|29" },
	{ "only what was not reached is a gap", TREE IDS LINKS ASKS,
	  "SELECT topic, subject, standing, detail FROM gap WHERE topic GLOB 'pcie.*'",
	  "pcie.acs|" DOWN "|absent|no such register" },
	{ "without root the links are known all the same", TREE IDS LINKS DENIED,
	  "SELECT hop, width, port, atomics_route, acs FROM pcie WHERE slot", "2|4|-|-|-" },
	{ "and the registers are a gap for each hop and column", TREE IDS LINKS DENIED,
	  "SELECT topic, count(*), count(DISTINCT subject) FROM gap WHERE topic GLOB 'pcie.*'"
	  " AND standing = 'denied' GROUP BY topic ORDER BY topic",
	  "pcie.acs|4|4\npcie.atomics_32|4|4\npcie.atomics_64|4|4\npcie.atomics_request|4|4\n"
	  "pcie.atomics_route|4|4\npcie.port|4|4" },
	{ "nobody asked for links", TREE IDS ASKS,
	  "SELECT topic, count(*) FROM gap WHERE topic GLOB 'pcie.*' AND standing = 'unasked'"
	  " GROUP BY topic ORDER BY topic",
	  "pcie.max_speed_gts|4\npcie.max_width|4\npcie.speed_gts|4\npcie.width|4" },
	{ "where the card ends is not known if a vendor is not",
	  TREE FUNCTION(AT_GPU, "0x1002", "0x744c") "file " AT_DOWN "/vendor !EIO\n" LINKS ASKS,
	  "SELECT count(slot), (SELECT standing FROM gap WHERE topic = 'pcie.slot') FROM pcie",
	  "0|broken" },
	{ "a virtual function has no link of its own",
	  BARE LINK(BUS "/" GPU, "Unknown", "0", "Unknown", "255"),
	  "SELECT (SELECT count(*) FROM pcie WHERE speed_gts IS NULL AND width IS NULL),"
	  " group_concat(detail) FROM gap WHERE topic GLOB 'pcie.*' AND standing = 'absent'",
	  "1|no link of its own,no link of its own,no link of its own,no link of its own" },
	{ "a speed that is none", BARE LINK(BUS "/" GPU, "fast", "x16", "16.0 GT/s PCIe", "16"),
	  "SELECT topic, standing FROM gap WHERE topic IN ('pcie.speed_gts', 'pcie.width')",
	  "pcie.speed_gts|broken\npcie.width|broken" },
	{ "a register that is no number",
	  BARE "ask pcie " GPU "\n\tport x\n\tdevcap2 0xzz\n\tdevctl2\n\t\n\tacs_ctl 0x1d\n",
	  "SELECT port, atomics_route, atomics_32, atomics_64, atomics_request, acs FROM pcie",
	  "-|-|-|-|-|29" },
	{ "asleep",
	  BARE "ask pcie " GPU " !ASLEEP\nfile " BUS "/" GPU "/current_link_speed !ASLEEP\n",
	  "SELECT topic, standing FROM gap WHERE topic IN ('pcie.acs', 'pcie.speed_gts') ORDER BY 1",
	  "pcie.acs|unasked\npcie.speed_gts|unasked" },
	{ "a way that leads nowhere",
	  "dir " BUS "\n\t" GPU "@\nlink " BUS "/" GPU " ../../../devices/" GPU "\n"
	  "file /sys/devices/" GPU "/class\n\t0x030000\nfile /sys/devices/" GPU
	  "/vendor\n\t0x1002\n",
	  "SELECT hop, address FROM pcie", "0|" GPU },
};

static void add_bridges(struct buf *text, int count)
{
	for (int i = 0; i < count; i++)
		buf_addf(text, "/0000:%02x:%02x.0", 4 + i % 200, i / 200);
}

/* A domain has 256 buses: a way that is longer is nobody's, and no part of it is told. */
static void check_deep(int bridges, const char *want)
{
	struct buf text BUF_SCOPED = { 0 };
	struct facts *facts;

	buf_text(&text, "dir " BUS "\n\t" GPU "@\nlink " BUS "/" GPU " " HOST);
	add_bridges(&text, bridges);
	buf_text(&text, "/" GPU "\nfile " HOST);
	add_bridges(&text, bridges);
	buf_text(&text, "/" GPU "/class\n\t0x030000\nfile " HOST);
	add_bridges(&text, bridges);
	buf_text(&text, "/" GPU "/vendor\n\t0x1002\n");
	facts = facts_of(text.data);
	CHECK_TEXT(answer_of(facts, "SELECT count(*), (SELECT subject || ' ' || detail FROM gap"
				    " WHERE topic = 'pcie') FROM pcie"),
		   want);
	answer_of(NULL, NULL);
	facts_free(facts);
}

int main(void)
{
	check_facts(cases, sizeof(cases) / sizeof(cases[0]));
	check_deep(100, "101|-");
	check_deep(255, "256|-");
	check_deep(256, "0|" GPU " EFBIG");
	return check_end();
}
