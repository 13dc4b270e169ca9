#include "check-facts.h"

#define BUS  "/sys/bus/pci/devices"
#define KFD  "/sys/class/kfd/kfd/topology/nodes"
#define HOST "/sys/devices/pci0000:00"

/* A function without links in its path: the bus directory holds it itself. */
#define PCI(address, class, vendor, device, revision)                                             \
	"file " BUS "/" address "/class\n\t" class "\nfile " BUS "/" address "/vendor\n\t" vendor \
						   "\nfile " BUS "/" address "/device\n\t" device \
						   "\nfile " BUS "/" address                      \
						   "/revision\n\t" revision "\n"

#define F(file, text)  "file " BUS "/0000:03:00.0/" file "\n\t" text "\n"
#define NONE(kind, of) kind " " BUS "/0000:03:00.0/" of " !ENOENT\n"

/* A Radeon RX 7900 XTX with one monitor, as sysfs prints it. */
#define XTX_ALONE                                                                                                      \
	PCI("0000:03:00.0", "0x030000", "0x1002", "0x744c", "0xc8")                                                    \
	F("subsystem_vendor", "0x1da2")                                                                                \
	F("subsystem_device", "0xe471")                                                                                \
	F("numa_node", "-1")                                                                                           \
	F("boot_vga", "1")                                                                                             \
	F("power/runtime_status", "active")                                                                            \
	F("power/control", "auto")                                                                                     \
	F("mem_info_vram_total", "25753026560")                                                                        \
	F("mem_info_vram_used", "1234567168")                                                                          \
	F("mem_info_vis_vram_total", "25753026560")                                                                    \
	F("mem_info_vis_vram_used", "1234567168")                                                                      \
	F("mem_info_gtt_total", "33554432000")                                                                         \
	F("mem_info_gtt_used", "20971520")                                                                             \
	F("mem_info_vram_vendor", "hynix")                                                                             \
	F("vbios_version", "113-D70200-00B")                                                                           \
	F("unique_id", "a1ffc9d1799c317f")                                                                             \
	F("gpu_busy_percent", "7")                                                                                     \
	F("pcie_replay_count", "0")                                                                                    \
	F("resource", "0x0000007800000000 0x0000007fffffffff 0x000000000014220c\n\t"                                   \
		      "0x0000000000000000 0x0000000000000000 0x0000000000000000")                                      \
	"link " BUS "/0000:03:00.0/driver ../../../../bus/pci/drivers/amdgpu\n"                                        \
	"link " BUS "/0000:03:00.0/iommu_group ../../../../kernel/iommu_groups/15\n"                                   \
	"file /sys/kernel/iommu_groups/15/type\n\tDMA-FQ\n" NONE("link", "physfn") NONE(                               \
		"file",                                                                                                \
		"xgmi_hive_info/xgmi_hive_id") "dir " BUS                                                              \
					       "/0000:03:00.0/drm\n\tcard1/\n\trenderD128/\n"                          \
					       "dir " BUS                                                              \
					       "/0000:03:00.0/drm/card1\n\tcard1-DP-1/\n\tcard1-HDMI-A-1/\n\tdev\n" F( \
						       "drm/card1/card1-DP-1/status",                                  \
						       "disconnected")                                                 \
						       F("drm/card1/card1-HDMI-A-1/status",                            \
							 "connected")

#define ONLY(address) "dir " BUS "\n\t" address "/\n"
#define XTX           ONLY("0000:03:00.0") XTX_ALONE

/* A card of an id that no table has, so that other evidence decides. */
#define STRANGER ONLY("0000:03:00.0") PCI("0000:03:00.0", "0x038000", "0x1002", "0x7fff", "0x00")

#define ACCELERATOR(device) \
	ONLY("0000:03:00.0") PCI("0000:03:00.0", "0x120000", "0x1002", device, "0x00")

#define GAP(column) "SELECT subject, standing, detail FROM gap WHERE topic = 'gpu." column "'"
#define PAGES       "SELECT bad_pages_retired, bad_pages_pending, bad_pages_failed FROM gpu"

static const struct facts_case cases[] = {
	{ "what it is", XTX,
	  "SELECT address, vendor_id, device_id, subsystem_vendor_id, subsystem_device_id, revision,"
	  " class, product, driver, integrated, virtual_function, numa_node, card, render FROM gpu",
	  "0000:03:00.0|1002|744c|1da2|e471|c8|030000|AMD Radeon RX 7900 XTX|amdgpu|0|0|-1|card1|"
	  "renderD128" },
	{ "its memory", XTX,
	  "SELECT vram_total_bytes, vram_used_bytes, visible_vram_total_bytes,"
	  " visible_vram_used_bytes, gtt_total_bytes, gtt_used_bytes, vram_vendor, bar0_bytes FROM gpu",
	  "25753026560|1234567168|25753026560|1234567168|33554432000|20971520|hynix|34359738368" },
	{ "the rest", XTX,
	  "SELECT vbios, unique_id, power_state, power_control, display_attached, boot_vga,"
	  " iommu_group, iommu_type, busy_percent, pcie_replays, source FROM gpu",
	  "113-D70200-00B|a1ffc9d1799c317f|active|auto|1|1|15|DMA-FQ|7|0|" BUS "/0000:03:00.0" },
	{ "what a Radeon does not have, each with its gap", XTX,
	  "SELECT group_concat(topic, ' ') FROM"
	  " (SELECT topic FROM gap WHERE topic GLOB 'gpu.*' ORDER BY topic)",
	  "gpu.bad_pages_failed gpu.bad_pages_pending gpu.bad_pages_retired gpu.compute_partition"
	  " gpu.gfx gpu.memory_partition gpu.product_number gpu.serial" },
	{ "gfx is KFD's word, not the table's",
	  XTX "dir " KFD "\n\t1/\nfile " KFD "/1/gpu_id\n\t9\nfile " KFD
	      "/1/properties\n\tsimd_count 192\n\tgfx_target_version 110000\n\tlocation_id 768\n"
	      "\tdomain 0\n",
	  "SELECT gfx FROM gpu", "gfx1100" },

	{ "no bus to look at", "dir " BUS " !ENOENT\n",
	  "SELECT subject, standing, detail FROM gap WHERE topic = 'gpu'", "|absent|ENOENT" },
	{ "no /sys to look at", "dir " BUS " !ENOENT\nnode /sys/bus !ENOENT\n",
	  "SELECT subject, standing, detail FROM gap WHERE topic = 'gpu'", "|unasked|UNASKED" },
	{ "a machine without a GPU is no gap",
	  ONLY("0000:00:1f.0") "file " BUS "/0000:00:1f.0/class\n\t0x060100\n",
	  "SELECT count(*) FROM gap WHERE topic GLOB 'gpu*'", "0" },
	{ "a card of another maker is none of ours",
	  ONLY("0000:01:00.0") "file " BUS "/0000:01:00.0/class\n\t0x030000\nfile " BUS
			       "/0000:01:00.0/vendor\n\t0x10de\n",
	  "SELECT (SELECT count(*) FROM gpu), (SELECT count(*) FROM gap WHERE topic GLOB 'gpu*')",
	  "0|0" },
	{ "a function that keeps its class to itself may be a GPU",
	  ONLY("0000:03:00.0") "file " BUS "/0000:03:00.0/class !EACCES\n",
	  "SELECT subject, standing FROM gap WHERE topic = 'gpu'", "0000:03:00.0|denied" },
	{ "a class that is no number", ONLY("0000:03:00.0") F("class", "display"),
	  "SELECT subject, standing FROM gap WHERE topic = 'gpu'", "0000:03:00.0|broken" },
	{ "hexadecimal order: 10 before 1a",
	  "dir " BUS "\n\t0000:1a:00.0/\n\t0000:10:00.0/\n\t0000:03:00.0/\n\tnonsense\n" PCI(
		  "0000:1a:00.0", "0x030000", "0x1002", "0x744c", "0xc8")
		  PCI("0000:10:00.0", "0x038000", "0x1002", "0x164e", "0xc1")
			  PCI("0000:03:00.0", "0x120000", "0x1002", "0x74a1", "0x00"),
	  "SELECT address, integrated FROM gpu", "0000:03:00.0|0\n0000:10:00.0|1\n0000:1a:00.0|0" },

	{ "no driver is an answer",
	  ONLY("0000:03:00.0") NONE("link", "driver")
		  PCI("0000:03:00.0", "0x030000", "0x1002", "0x744c", "0xc8"),
	  "SELECT driver, (SELECT count(*) FROM gap WHERE topic = 'gpu.driver') FROM gpu", "-|0" },
	{ "a driver that nobody asked for is not", STRANGER,
	  "SELECT standing FROM gap WHERE topic = 'gpu.driver'", "unasked" },
	{ "no IOMMU is an answer", STRANGER NONE("link", "iommu_group"),
	  "SELECT iommu_group, (SELECT count(*) FROM gap WHERE topic GLOB 'gpu.iommu*') FROM gpu",
	  "-|0" },
	{ "a group that is no number",
	  STRANGER "link " BUS "/0000:03:00.0/iommu_group ../../iommu_groups/none\n",
	  "SELECT topic, standing FROM gap WHERE topic GLOB 'gpu.iommu*'",
	  "gpu.iommu_group|broken\ngpu.iommu_type|broken" },

	{ "the card's own name is better than the table's",
	  ACCELERATOR("0x74a1") F("product_name", "AMD Instinct MI300X OAM"),
	  "SELECT product FROM gpu", "AMD Instinct MI300X OAM" },
	{ "an empty name is none", ACCELERATOR("0x74a1") F("product_name", ""),
	  "SELECT product FROM gpu", "AMD Instinct MI300X" },
	{ "an id that nobody knows", STRANGER, GAP("product"),
	  "0000:03:00.0|absent|no name on the card, no such id in the table" },

	{ "board_info is for cards only",
	  STRANGER "node " BUS "/0000:03:00.0/board_info file 0444 0:0 0:0\n",
	  "SELECT integrated FROM gpu", "0" },
	{ "a processor's function beside it",
	  STRANGER "file " BUS "/0000:03:00.2/vendor\n\t0x1022\n", "SELECT integrated FROM gpu",
	  "1" },
	{ "a function of the card's own beside it",
	  STRANGER "file " BUS "/0000:03:00.2/vendor\n\t0x1002\n", "SELECT integrated FROM gpu",
	  "-" },
	{ "undecided says so", STRANGER, GAP("integrated"),
	  "0000:03:00.0|absent|an unknown id, and nothing decides" },

	{ "a virtual function in a guest", ACCELERATOR("0x74b5") NONE("link", "physfn"),
	  "SELECT virtual_function, product FROM gpu", "1|AMD Instinct MI300X VF" },
	{ "a virtual function on its host",
	  STRANGER "link " BUS "/0000:03:00.0/physfn ../0000:02:00.0\n",
	  "SELECT virtual_function FROM gpu", "1" },
	{ "an unknown id in a guest could be one", STRANGER NONE("link", "physfn"),
	  GAP("virtual_function"), "0000:03:00.0|absent|ENOENT" },

	{ "the hive's id is decimal and has 64 bits",
	  ACCELERATOR("0x74a1") F("xgmi_hive_info/xgmi_hive_id", "10631624818852212319"),
	  "SELECT hive_id FROM gpu", "938b1e71a8e9ae5f" },
	{ "a hive id that is none", ACCELERATOR("0x74a1") F("xgmi_hive_info/xgmi_hive_id", "0x12"),
	  GAP("hive_id"), "0000:03:00.0|broken|EBADMSG" },
	{ "without a hive there is no gap", XTX,
	  "SELECT hive_id, (SELECT count(*) FROM gap WHERE topic = 'gpu.hive_id') FROM gpu",
	  "-|0" },
	{ "an empty unique id is none", STRANGER F("unique_id", ""), GAP("unique_id"),
	  "0000:03:00.0|absent|the file is empty" },

	{ "pages out of use",
	  ACCELERATOR("0x74a1") F("ras/gpu_vram_bad_pages", "0x00000001 : 0x00001000 : R\n\t"
							    "0x00000002 : 0x00001000 : P\n\t"
							    "0x00000003 : 0x00001000 : R"),
	  PAGES, "2|1|0" },
	{ "an empty list is none",
	  ACCELERATOR("0x74a1") "file " BUS "/0000:03:00.0/ras/gpu_vram_bad_pages\n", PAGES,
	  "0|0|0" },
	{ "no list is not none", STRANGER NONE("file", "ras/gpu_vram_bad_pages"), PAGES, "-|-|-" },

	{ "a sleeping GPU is not woken",
	  STRANGER "file " BUS "/0000:03:00.0/gpu_busy_percent !ASLEEP\n", GAP("busy_percent"),
	  "0000:03:00.0|unasked|ASLEEP" },
	{ "a stuck one", STRANGER "file " BUS "/0000:03:00.0/mem_info_vram_used !STUCK\n",
	  GAP("vram_used_bytes"), "0000:03:00.0|stuck|STUCK" },
	{ "a size that is none", STRANGER F("mem_info_vram_total", "lots"), GAP("vram_total_bytes"),
	  "0000:03:00.0|broken|not a value: lots" },
	{ "a BAR that is not in use",
	  STRANGER F("resource", "0x0000000000000000 0x0000000000000000 0x0000000000000000"),
	  GAP("bar0_bytes"), "0000:03:00.0|absent|BAR 0 is not in use" },

	{ "no monitor",
	  STRANGER "dir " BUS "/0000:03:00.0/drm\n\tcard0/\n\trenderD128/\n"
		   "dir " BUS "/0000:03:00.0/drm/card0\n\tdev\n",
	  "SELECT card, render, display_attached FROM gpu", "card0|renderD128|0" },
	{ "one connector does not answer, the next has a monitor",
	  STRANGER "dir " BUS "/0000:03:00.0/drm\n\tcard0/\n"
		   "dir " BUS "/0000:03:00.0/drm/card0\n\tcard0-DP-1/\n\tcard0-DP-2/\n"
		   "file " BUS "/0000:03:00.0/drm/card0/card0-DP-1/status !EIO\n" F(
			   "drm/card0/card0-DP-2/status", "connected"),
	  "SELECT display_attached FROM gpu", "1" },
	{ "one connector does not answer, the next has none",
	  STRANGER "dir " BUS "/0000:03:00.0/drm\n\tcard0/\n"
		   "dir " BUS "/0000:03:00.0/drm/card0\n\tcard0-DP-1/\n\tcard0-DP-2/\n"
		   "file " BUS "/0000:03:00.0/drm/card0/card0-DP-1/status !EIO\n" F(
			   "drm/card0/card0-DP-2/status", "disconnected"),
	  GAP("display_attached"), "0000:03:00.0|broken|EIO" },
	{ "names of another kind", STRANGER "dir " BUS "/0000:03:00.0/drm\n\tcardinal/\n\tcard/\n",
	  "SELECT topic, standing FROM gap WHERE topic IN ('gpu.card', 'gpu.render',"
	  " 'gpu.display_attached') ORDER BY topic",
	  "gpu.card|absent\ngpu.display_attached|absent\ngpu.render|absent" },
};

/* A host with more functions than we look at says what it left out. */
static void check_many(void)
{
	struct buf text = { 0 };
	struct facts *facts;

	buf_text(&text, "dir " BUS "\n");
	for (int i = 0; i < COLLECT_GPUS_MAX + 3; i++)
		buf_addf(&text, "\t0000:%02x:%02x.0/\n", i / 32, i % 32);
	for (int i = 0; i < COLLECT_GPUS_MAX + 3; i++)
		buf_addf(&text,
			 "files " BUS "/0000:%02x:%02x.0\n\tclass 0x120000\n\tvendor 0x1002\n",
			 i / 32, i % 32);
	facts = facts_of(text.data);
	CHECK_TEXT(answer_of(facts, "SELECT (SELECT count(*) FROM gpu), count(*) FROM gap"
				    " WHERE topic = 'gpu' AND standing = 'unasked'"),
		   "256|3");
	answer_of(NULL, NULL);
	facts_free(facts);
	buf_done(&text);
}

int main(void)
{
	check_facts(cases, sizeof(cases) / sizeof(cases[0]));
	check_many();
	return check_end();
}
