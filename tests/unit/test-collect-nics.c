#include "check-facts.h"

#define AT   "/sys/devices/pci0000:40/0000:40:03.1/0000:51:00.0"
#define NET  AT "/net/eth2"
#define PORT AT "/infiniband/mlx5_2/ports/1"

#define NETWORK                                                                       \
	"dir /sys/class/net\n\teth2@\n\tlo@\n"                                        \
	"link /sys/class/net/eth2 ../../devices/pci0000:40/0000:40:03.1/"             \
	"0000:51:00.0/net/eth2\n"                                                     \
	"link /sys/class/net/lo ../../devices/virtual/net/lo\n"                       \
	"file " NET "/operstate\n\tup\nfile " NET "/carrier_up_count\n\t2\nfile " NET \
	"/carrier_down_count\n\t1\n"

#define RDMA                                                                  \
	"dir /sys/class/infiniband\n\tmlx5_2@\n"                              \
	"link /sys/class/infiniband/mlx5_2 ../../devices/pci0000:40/"         \
	"0000:40:03.1/0000:51:00.0/infiniband/mlx5_2\n"                       \
	"dir " AT "/infiniband/mlx5_2/ports\n\t1/\n\tx/\n"                    \
	"file " PORT "/state\n\t4: ACTIVE\nfile " PORT "/link_layer\n"        \
	"\tEthernet\n"                                                        \
	"link /sys/bus/pci/devices/0000:51:00.0 ../../../devices/pci0000:40/" \
	"0000:40:03.1/0000:51:00.0\n"                                         \
	"file " AT "/vendor\n\t0x15b3\nfile " AT "/device\n\t0x1021\n"        \
	"file " AT "/subsystem_device\n\t0x0041\n"

#define VF "link " AT "/physfn ../0000:51:00.1\n"

#define F(path, text) "file " path "\n\t" text "\n"

#define GAPS(topic) \
	"SELECT subject, standing, detail FROM gap WHERE topic = '" topic "' AND subject <> ''"

static const struct facts_case cases[] = {
	{ "an interface at work; the loopback has no PCI function",
	  NETWORK F(NET "/flags", "0x1003") F(NET "/carrier", "1") F(NET "/speed", "400000"),
	  "SELECT address, name, up, operstate, carrier, link_ups, link_downs, speed_mbps FROM nic",
	  "0000:51:00.0|eth2|1|up|1|2|1|400000" },
	{ "taken down: what it would say of its link is not asked",
	  NETWORK F(NET "/flags", "0x1002"),
	  "SELECT up, carrier, speed_mbps, (SELECT count(*) FROM gap WHERE topic LIKE 'nic.%') "
	  "FROM nic",
	  "0|-|-|0" },
	{ "without a link it has no speed",
	  NETWORK F(NET "/flags", "0x1003") F(NET "/carrier", "0"),
	  "SELECT up, carrier, speed_mbps FROM nic", "1|0|-" },
	{ "a speed that the driver does not know",
	  NETWORK F(NET "/flags", "0x1003") F(NET "/carrier", "1") F(NET "/speed", "-1"),
	  GAPS("nic.speed_mbps"), "0000:51:00.0|absent|not known" },
	{ "flags that are none", NETWORK F(NET "/flags", "up"), GAPS("nic.up"),
	  "0000:51:00.0|broken|EBADMSG" },
	{ "flags that are denied", NETWORK "file " NET "/flags !EACCES\n", GAPS("nic.up"),
	  "0000:51:00.0|denied|EACCES" },
	{ "no directory of interfaces", "dir /sys/class/net !ENOENT\n",
	  "SELECT standing FROM gap WHERE topic = 'nic'", "absent" },
	{ "a link that cannot be read",
	  "dir /sys/class/net\n\teth2@\n"
	  "link /sys/class/net/eth2 !EIO\n",
	  "SELECT subject, standing FROM gap WHERE topic = 'nic'", "eth2|broken" },
	{ "a part of a function is no port of its own",
	  "dir /sys/class/net\n\teth0@\nlink /sys/class/net/eth0 "
	  "../../devices/pci0000:00/0000:00:03.0/virtio0/net/eth0\n",
	  "SELECT count(*) FROM nic", "0" },

	{ "a port for RDMA",
	  RDMA F(PORT "/phys_state", "5: LinkUp") F(PORT "/rate", "400 Gb/sec (4X NDR)")
		  F(PORT "/counters/link_downed", "3"),
	  "SELECT address, device, port, virtual_function, link_layer, state, phys_state, "
	  "rate_gbps, lanes, link_downed, vendor_id, device_id, subsystem_device_id FROM rdma_port",
	  "0000:51:00.0|mlx5_2|1|0|Ethernet|ACTIVE|LinkUp|400.0|4|3|15b3|1021|0041" },
	{ "a card that does not count", RDMA F(PORT "/counters/link_downed", "N/A (no PMA)"),
	  GAPS("rdma_port.link_downed"), "0000:51:00.0|absent|ENODATA" },
	{ "a counter that is none", RDMA F(PORT "/counters/link_downed", "many"),
	  GAPS("rdma_port.link_downed"), "0000:51:00.0|broken|EBADMSG" },
	{ "a rate that is none", RDMA F(PORT "/rate", "fast"), GAPS("rdma_port.rate_gbps"),
	  "0000:51:00.0|broken|EBADMSG" },
	{ "a state that is none", RDMA F(PORT "/phys_state", "LinkUp"),
	  GAPS("rdma_port.phys_state"), "0000:51:00.0|broken|EBADMSG" },
	{ "of a virtual function only the state is asked", RDMA VF,
	  "SELECT virtual_function, state, phys_state, "
	  "(SELECT count(*) FROM gap WHERE topic LIKE 'rdma_port.%') FROM rdma_port",
	  "1|ACTIVE|-|0" },
	{ "ports that cannot be listed", RDMA "dir " AT "/infiniband/mlx5_2/ports !EIO\n",
	  GAPS("rdma_port"), "0000:51:00.0|broken|EIO" },
};

int main(void)
{
	check_facts(cases, sizeof(cases) / sizeof(cases[0]));
	return check_end();
}
