#include "check-facts.h"

#define KFD_TREE "/sys/class/kfd/kfd/topology/nodes"
#define IDENTITY "ask identity\n\thow this process\n\tuid 1000\n\tgid 1000\n\tgroups 992\n"
#define KFD_NODE "node /dev/kfd char 0660 0:992 235:0\nask acl /dev/kfd\n"
#define OPENED   "ask open /dev/kfd\n\topened\n"
#define DRI      "dir /dev/dri\n\tcard0\n\trenderD128\n"
#define NO_DRI   "dir /dev/dri !ENOENT\n"
#define RENDER                                                                            \
	"node /dev/dri/renderD128 char 0660 0:992 226:128\nask acl /dev/dri/renderD128\n" \
	"ask open /dev/dri/renderD128\n\topened\n"
#define PCI_OF(vendor)                                                                           \
	"link /sys/class/drm/renderD128 ../../devices/pci0000:00/0000:00:01.0/0000:03:00.0/drm/" \
	"renderD128\n"                                                                           \
	"link /sys/devices/pci0000:00/0000:00:01.0/0000:03:00.0/drm/renderD128/device "          \
	"../../../0000:03:00.0\n"                                                                \
	"link /sys/bus/pci/devices/0000:03:00.0 "                                                \
	"../../../devices/pci0000:00/0000:00:01.0/0000:03:00.0\n"                                \
	"file /sys/devices/pci0000:00/0000:00:01.0/0000:03:00.0/vendor\n\t" vendor "\n"
#define GPU_OF(card)                                                 \
	"dir /sys/bus/pci/devices\n\t0000:03:00.0\n"                 \
	"file /sys/bus/pci/devices/0000:03:00.0/class\n\t0x030000\n" \
	"file /sys/bus/pci/devices/0000:03:00.0/vendor\n\t0x1002\n"  \
	"dir /sys/bus/pci/devices/0000:03:00.0/drm\n\t" card "/\n\trenderD128/\n"
#define AGENT(minor)                                                                  \
	"dir " KFD_TREE "\n\t1/\nfile " KFD_TREE "/1/gpu_id\n\t38146\nfile " KFD_TREE \
	"/1/properties\n\tsimd_count 192\n\tlocation_id 768\n\tdomain 0\n"            \
	"\tgfx_target_version 110000\n\tdrm_render_minor " minor "\n"

#define ALL \
	"SELECT path, kind, major, minor, mode, uid, gid, in_group, open_result FROM device_node"
#define RESULTS "SELECT path, kind, open_result FROM device_node"
#define CARD    "SELECT substr(path, 10), card FROM device_node WHERE path LIKE '%render%'"
#define GAPS    "SELECT topic, subject, standing, detail FROM gap WHERE topic LIKE 'device_node%'"

#define REFUSED(error) IDENTITY KFD_NODE NO_DRI "ask open /dev/kfd !" error "\n"

static const struct facts_case cases[] = {
	{ "two nodes that open", IDENTITY KFD_NODE OPENED DRI RENDER PCI_OF("0x1002"), ALL,
	  "/dev/kfd|c|235|0|0660|0|992|1|opened\n"
	  "/dev/dri/renderD128|c|226|128|0660|0|992|1|opened" },
	{ "a render node belongs to a function",
	  IDENTITY KFD_NODE OPENED DRI RENDER PCI_OF("0x1002"),
	  "SELECT path, address FROM device_node", "/dev/kfd|-\n/dev/dri/renderD128|0000:03:00.0" },
	{ "nothing is open", IDENTITY KFD_NODE OPENED DRI RENDER PCI_OF("0x1002"), GAPS, "" },
	{ "the card of its GPU is beside it", IDENTITY KFD_NODE OPENED DRI RENDER GPU_OF("card0"),
	  CARD, "renderD128|1" },
	{ "it is not", IDENTITY KFD_NODE OPENED DRI RENDER GPU_OF("card1"), CARD, "renderD128|0" },
	{ "the GPU has none", IDENTITY KFD_NODE OPENED DRI RENDER PCI_OF("0x1002"), CARD,
	  "renderD128|-" },
	{ "/dev/dri may not be listed",
	  IDENTITY KFD_NODE OPENED RENDER GPU_OF("card0") "dir /dev/dri !EACCES\n", CARD,
	  "renderD128|-" },
	{ "another maker's node is left alone",
	  IDENTITY KFD_NODE OPENED DRI RENDER PCI_OF("0x8086"), RESULTS, "/dev/kfd|c|opened" },
	{ "a partition's node has no function of its own; KFD knows it",
	  IDENTITY KFD_NODE OPENED DRI RENDER AGENT("128"),
	  "SELECT address FROM device_node WHERE path LIKE '%render%'", "0000:03:00.0" },

	{ "not in the group",
	  "ask identity\n\thow this process\n\tuid 1000\n\tgid 1000\n\tgroups 44\n" KFD_NODE NO_DRI
	  "ask open /dev/kfd !EACCES\n",
	  "SELECT in_group, open_result FROM device_node", "0|EACCES" },
	{ "let in by an access list",
	  IDENTITY KFD_NODE OPENED NO_DRI
	  "ask acl /dev/kfd\n\tuser::rw-\n\tuser:1000:rw-\n\tgroup::rw-\n"
	  "\tgroup:44:r--\n\tmask::rw-\n\tother::---\n",
	  "SELECT acl FROM device_node", "user:1000:rw- group:44:r--" },
	{ "the list cannot be read", IDENTITY KFD_NODE OPENED NO_DRI "ask acl /dev/kfd !EACCES\n",
	  GAPS, "device_node.acl|/dev/kfd|denied|EACCES" },
	{ "refused by the mode", REFUSED("EACCES"), RESULTS, "/dev/kfd|c|EACCES" },
	{ "refused by a device group", REFUSED("EPERM"), RESULTS, "/dev/kfd|c|EPERM" },
	{ "taken", REFUSED("EBUSY"), RESULTS, "/dev/kfd|c|EBUSY" },
	{ "a node without a driver", REFUSED("ENXIO"), RESULTS, "/dev/kfd|c|ENXIO" },
	{ "there to be seen, gone to be opened", REFUSED("ENOENT"), RESULTS, "/dev/kfd|c|ENOENT" },
	{ "no answer is no result", REFUSED("STUCK"), "SELECT open_result FROM device_node", "-" },
	{ "... but a gap", REFUSED("STUCK"), GAPS, "device_node.open_result|/dev/kfd|stuck|STUCK" },
	{ "--no-open", REFUSED("UNASKED"), GAPS,
	  "device_node.open_result|/dev/kfd|unasked|UNASKED" },
	{ "a sleeping GPU",
	  IDENTITY KFD_NODE OPENED DRI RENDER "ask open /dev/dri/renderD128 !ASLEEP\n", GAPS,
	  "device_node.open_result|/dev/dri/renderD128|unasked|ASLEEP" },

	{ "no driver: a row says that there is no node", IDENTITY "node /dev/kfd !ENOENT\n" NO_DRI,
	  RESULTS, "/dev/kfd|-|ENOENT" },
	{ "a container with /dev/kfd and without /dev/dri",
	  IDENTITY KFD_NODE OPENED NO_DRI AGENT("128"), RESULTS,
	  "/dev/kfd|c|opened\n/dev/dri/renderD128|-|ENOENT" },
	{ "a container with the other card only", IDENTITY KFD_NODE OPENED DRI RENDER AGENT("129"),
	  RESULTS,
	  "/dev/kfd|c|opened\n/dev/dri/renderD128|c|opened\n/dev/dri/renderD129|-|ENOENT" },
	{ "/dev/dri may not be listed, but a node in it be opened",
	  IDENTITY KFD_NODE OPENED
	  "dir /dev/dri !EACCES\n" AGENT("128") "ask open /dev/dri/renderD128\n\topened\n",
	  RESULTS, "/dev/kfd|c|opened\n/dev/dri/renderD128|-|opened" },
	{ "a plain file in the place of a device",
	  IDENTITY "node /dev/kfd file 0644 0:0\nask acl /dev/kfd\n" OPENED NO_DRI,
	  "SELECT kind, major, open_result FROM device_node", "-|-|opened" },
	{ "names that only look like render nodes",
	  IDENTITY KFD_NODE OPENED "dir /dev/dri\n\trenderD\n\trenderDx\n\trenderD-1\n"
				   "\trenderD99999999999\n\tby-path/\n",
	  RESULTS, "/dev/kfd|c|opened" },

	{ "WSL",
	  IDENTITY "node /dev/kfd !ENOENT\n" NO_DRI "node /dev/dxg char 0666 0:0 10:63\n"
		   "ask acl /dev/dxg\nask open /dev/dxg\n\topened\n",
	  RESULTS, "/dev/kfd|-|ENOENT\n/dev/dxg|c|opened" },

	{ "nobody asked: no row, and it is said", IDENTITY, RESULTS, "" },
	{ "nobody asked", IDENTITY,
	  "SELECT DISTINCT standing FROM gap WHERE topic LIKE 'device_node%'", "unasked" },
	{ "a tree without /dev tells nothing",
	  IDENTITY "node /dev !ENOENT\nnode /dev/kfd !ENOENT\n" NO_DRI AGENT("128"),
	  "SELECT (SELECT count(*) FROM device_node), group_concat(subject || ' ' || standing)"
	  " FROM gap WHERE topic = 'device_node'",
	  "0|/dev/kfd unasked,/dev/dri unasked,/dev/dri/renderD128 unasked" },
	{ "without an identity nobody is in a group", KFD_NODE OPENED NO_DRI,
	  "SELECT in_group, open_result FROM device_node", "-|opened" },
};

int main(void)
{
	check_facts(cases, sizeof(cases) / sizeof(cases[0]));
	return check_end();
}
