#include "check-facts.h"

#define KFD  "/sys/class/kfd/kfd/topology/nodes"
#define CPU0 "file " KFD "/0/gpu_id\n\t0\n"

/* Values of a captured RX 7900 XTX. */
#define XTX                                                                                       \
	"\tcpu_cores_count 0\n\tsimd_count 192\n\tmem_banks_count 1\n\tcaches_count 206\n"        \
	"\tio_links_count 1\n\tp2p_links_count 0\n\tmax_waves_per_simd 16\n\tlds_size_in_kb 64\n" \
	"\twave_front_size 32\n\tsimd_per_cu 2\n\tgfx_target_version 110000\n\tvendor_id 4098\n"  \
	"\tdevice_id 29772\n\tlocation_id 34304\n\tdomain 0\n\tdrm_render_minor 128\n"            \
	"\thive_id 0\n\tmax_engine_clk_fcompute 2482\n\tlocal_mem_size 0\n\tfw_version 2140\n"    \
	"\tcapability 671588992\n\tsdma_fw_version 20\n\tunique_id 11673270660693242239\n"        \
	"\tnum_xcc 1\n"

#define XTX_MACHINE                                                                          \
	"dir " KFD "\n\t0/\n\t1/\n" CPU0 "file " KFD "/1/gpu_id\n\t38146\n"                  \
	"file " KFD "/1/name\n\tip discovery\n"                                              \
	"file " KFD "/1/properties\n" XTX "file " KFD "/1/mem_banks/0/properties\n"          \
	"\theap_type 1\n\tsize_in_bytes 25753026560\n\tflags 0\n"                            \
	"dir " KFD "/1/io_links\n\t0/\n"                                                     \
	"file " KFD "/1/io_links/0/properties\n\ttype 2\n\tversion_major 0\n\tnode_from 1\n" \
	"\tnode_to 0\n\tweight 20\n\tmin_bandwidth 0\n\tmax_bandwidth 64000\n\tflags 1\n"

/* A partition: the kernel has ORed its number into location_id. */
#define PARTITION(node, gpu_id, location, links)                                  \
	"file " KFD "/" node "/gpu_id\n\t" gpu_id "\n"                            \
	"file " KFD "/" node                                                      \
	"/properties\n\tsimd_count 152\n\tsimd_per_cu 4\n\tio_links_count " links \
	"\n\tgfx_target_version 90402\n\tlocation_id " location "\n\tdomain 0\n"

#define LINK(node, flags, type)                                                           \
	"dir " KFD "/" node "/io_links\n\t0/\n"                                           \
	"file " KFD "/" node "/io_links/0/properties\n\ttype " type "\n\tnode_from " node \
	"\n\tnode_to 0\n\tflags " flags "\n"

#define TWO_PARTITIONS                                                \
	"dir " KFD "\n\t1/\n\t2/\n" PARTITION("1", "10", "1280", "1") \
		PARTITION("2", "11", "1283", "1") LINK("1", "15", "11") LINK("2", "1", "11")

#define HIVES(a, b)                                                                   \
	"dir " KFD "\n\t1/\n\t2/\n"                                                   \
	"file " KFD "/1/gpu_id\n\t1\nfile " KFD "/2/gpu_id\n\t2\n"                    \
	"file " KFD "/1/properties\n\tsimd_count 4\n\thive_id " a "\n\tunique_id 0\n" \
	"file " KFD "/2/properties\n\tsimd_count 4\n\thive_id " b "\n\tunique_id 1\n"

#define ONE(properties) \
	"dir " KFD "\n\t1/\nfile " KFD "/1/gpu_id\n\t1\nfile " KFD "/1/properties\n" properties

#define BANKS(one, two)                                                 \
	ONE("\tsimd_count 4\n\tmem_banks_count 2\n\tlocation_id 768\n") \
	"file " KFD "/1/mem_banks/0/properties\n" one "file " KFD "/1/mem_banks/1/properties\n" two

#define GAPS_OF(topic) "SELECT subject, standing, detail FROM gap WHERE topic = '" topic "'"
#define MEMORY         "SELECT memory_bytes, memory_visible FROM agent"

static const struct facts_case cases[] = {
	{ "all of a plain card, but not its processor", XTX_MACHINE,
	  "SELECT node, gpu_id, address, partition, gfx, simds, compute_units, wave_size,"
	  " max_waves_per_simd, lds_kib, xccs, max_clock_mhz, mec_firmware, sdma_firmware FROM agent",
	  "1|38146|0000:86:00.0|0|gfx1100|192|96|32|16|64|1|2482|2140|20" },
	{ "ids are 16 digits, a hive of 0 is none", XTX_MACHINE,
	  "SELECT capability, sramecc, svm, queue_reset, memory_bytes, memory_visible, hive_id,"
	  " unique_id, device_id, render_minor, name, source FROM agent",
	  "2807a280|0|1|0|25753026560|1|-|a1ffc9d1799c317f|744c|128|ip discovery|" KFD "/1" },
	{ "a healthy card leaves no gap", XTX_MACHINE, GAPS_OF("agent"), "" },
	{ "nor in a column", XTX_MACHINE,
	  "SELECT topic, detail FROM gap WHERE topic GLOB 'agent*' ORDER BY 1", "" },
	{ "its link", XTX_MACHINE,
	  "SELECT node_from, node_to, kind, peer, weight, min_bandwidth, max_bandwidth, atomics_32,"
	  " atomics_64, coherent, source FROM agent_link",
	  "1|0|pcie|0|20|0|64000|1|1|1|" KFD "/1/io_links/0/properties" },
	{ "a link without atomics and coherence",
	  ONE("\tsimd_count 4\n\tio_links_count 1\n") LINK("1", "15", "2"),
	  "SELECT atomics_32, atomics_64, coherent FROM agent_link", "0|0|0" },
	{ "bits 1, 2 and 3 are three things",
	  ONE("\tsimd_count 4\n\tio_links_count 1\n") LINK("1", "5", "4"),
	  "SELECT kind, atomics_32, atomics_64, coherent FROM agent_link", "4|0|1|1" },
	{ "peer links are another directory",
	  ONE("\tsimd_count 4\n\tp2p_links_count 1\n") "dir " KFD "/1/p2p_links\n\t0/\n"
						       "file " KFD
						       "/1/p2p_links/0/properties\n\ttype 2\n\tnode_from 1\n\tnode_to 2\n\tflags 1\n",
	  "SELECT node_to, peer FROM agent_link", "2|1" },
	{ "hive ids that differ by one stay two",
	  HIVES("18446744073709551614", "18446744073709551615"),
	  "SELECT hive_id, unique_id FROM agent ORDER BY node",
	  "fffffffffffffffe|-\nffffffffffffffff|0000000000000001" },
	{ "an id of 65 bits is broken", HIVES("18446744073709551616", "0"),
	  "SELECT standing, detail FROM gap WHERE topic = 'agent.hive_id'",
	  "broken|hive_id is no number that fits" },
	{ "partitions share a function that the kernel does not name", TWO_PARTITIONS,
	  "SELECT address, partition FROM agent", "0000:05:00.0|0\n0000:05:00.0|1" },
	{ "only the first one's links are read", TWO_PARTITIONS,
	  "SELECT node_from, kind FROM agent_link", "1|xgmi" },
	{ "in a container that has only the fourth partition the bus tells",
	  "dir /sys/bus/pci/devices\n\t0000:05:00.0@\n"
	  "dir " KFD "\n\t5/\n" PARTITION("5", "10", "1283", "0"),
	  "SELECT address, partition FROM agent", "0000:05:00.0|0" },
	{ "two virtual GPUs in one slot of a guest are two",
	  "dir /sys/bus/pci/devices\n\t0000:05:00.0@\n\t0000:05:00.3@\n" TWO_PARTITIONS,
	  "SELECT address, partition FROM agent", "0000:05:00.0|0\n0000:05:00.3|0" },
	{ "the domain is part of the address",
	  ONE("\tsimd_count 4\n\tlocation_id 57136\n\tdomain 65536\n"), "SELECT address FROM agent",
	  "10000:df:06.0" },
	{ "a GPU that the device cgroup masks is denied, by its node",
	  "dir " KFD "\n\t0/\n\t3/\n" CPU0 "file " KFD "/3/gpu_id !EPERM\n"
	  "file " KFD "/3/properties !EPERM\n",
	  GAPS_OF("agent"), "nodes/3|denied|EPERM" },
	{ "and is no agent", "dir " KFD "\n\t3/\nfile " KFD "/3/gpu_id !EPERM\n",
	  "SELECT count(*) FROM agent", "0" },
	{ "no topology: the path says what is missing", "dir " KFD " !ENOENT\n",
	  "SELECT topic, subject, standing, source FROM gap WHERE topic GLOB 'agent*'",
	  "agent||absent|" KFD "\nagent_link||absent|" KFD },
	{ "a node that hangs", "dir " KFD "\n\t1/\nfile " KFD "/1/gpu_id !STUCK\n",
	  GAPS_OF("agent"), "nodes/1|stuck|STUCK" },
	{ "properties that cannot be read",
	  "dir " KFD "\n\t1/\nfile " KFD "/1/gpu_id\n\t7\nfile " KFD "/1/properties !EIO\n",
	  GAPS_OF("agent"), "nodes/1|broken|EIO" },
	{ "an old kernel does not say its gfx", ONE("\tsimd_count 256\n\tlocation_id 6400\n"),
	  GAPS_OF("agent.gfx"), "0000:19:00.0|absent|no gfx_target_version" },
	{ "a gfx that no name can express",
	  ONE("\tsimd_count 4\n\tlocation_id 256\n\tgfx_target_version 119901\n"),
	  GAPS_OF("agent.gfx"), "0000:01:00.0|broken|gfx_target_version 119901" },
	{ "no location: the node is the subject", ONE("\tsimd_count 4\n"), GAPS_OF("agent.address"),
	  "nodes/1|absent|no location_id" },
	{ "a processor of a capture without gpu_id files",
	  "dir " KFD "\n\t0/\nfile " KFD "/0/properties\n\tsimd_count 0\n",
	  "SELECT count(*) FROM agent", "0" },
	{ "and a GPU of it",
	  "dir " KFD "\n\t1/\nfile " KFD "/1/properties\n\tsimd_count 8\n\tlocation_id 256\n",
	  "SELECT gpu_id, simds, (SELECT standing FROM gap WHERE topic = 'agent.gpu_id') FROM agent",
	  "-|8|unasked" },
	{ "names that are no numbers are no nodes", "dir " KFD "\n\t../\n\tx/\n\t99999999999/\n",
	  "SELECT count(*) FROM agent", "0" },
	{ "no division by zero", ONE("\tsimd_count 4\n\tsimd_per_cu 0\n"),
	  "SELECT compute_units FROM agent", "-" },
	{ "memory beyond a small BAR",
	  BANKS("\theap_type 1\n\tsize_in_bytes 268435456\n",
		"\theap_type 2\n\tsize_in_bytes 8321499136\n"),
	  MEMORY, "8589934592|0" },
	{ "the host's memory is not the GPU's",
	  BANKS("\theap_type 0\n\tsize_in_bytes 64\n", "\theap_type 1\n\tsize_in_bytes 32\n"),
	  MEMORY, "32|1" },
	{ "sizes that overflow",
	  BANKS("\theap_type 1\n\tsize_in_bytes 9223372036854775807\n",
		"\theap_type 1\n\tsize_in_bytes 1\n"),
	  GAPS_OF("agent.memory_bytes"), "0000:03:00.0|broken|EBADMSG" },
	{ "no bank at all", ONE("\tsimd_count 4\n\tmem_banks_count 0\n\tlocation_id 768\n"),
	  GAPS_OF("agent.memory_visible"), "0000:03:00.0|absent|ENOENT" },
	{ "a link without ends",
	  ONE("\tsimd_count 4\n\tio_links_count 1\n") "dir " KFD "/1/io_links\n\t0/\n"
						      "file " KFD
						      "/1/io_links/0/properties\n\ttype 2\n",
	  GAPS_OF("agent_link"), "nodes/1|broken|no type, node_from or node_to" },
	{ "links that are denied",
	  ONE("\tsimd_count 4\n\tio_links_count 1\n") "dir " KFD "/1/io_links !EPERM\n",
	  GAPS_OF("agent_link"), "nodes/1|denied|EPERM" },
	{ "a value that is no number", ONE("\tsimd_count 4\n\tfw_version -1\n\tlocation_id 768\n"),
	  GAPS_OF("agent.mec_firmware"), "0000:03:00.0|broken|fw_version is no number that fits" },
};

static void check_too_many(void)
{
	struct buf text BUF_SCOPED = { 0 };
	struct facts *facts;

	buf_text(&text, "dir " KFD "\n");
	for (int i = 0; i < COLLECT_AGENTS_MAX + 2; i++)
		buf_addf(&text, "\t%d/\n", i);
	for (int i = 0; i < COLLECT_AGENTS_MAX + 2; i++)
		buf_addf(&text,
			 "file " KFD "/%d/gpu_id\n\t7\nfile " KFD
			 "/%d/properties\n\tsimd_count 4\n",
			 i, i);
	facts = facts_of(text.data);
	CHECK_TEXT(answer_of(facts, "SELECT count(*) FROM agent"), "512");
	CHECK_TEXT(answer_of(facts, GAPS_OF("agent")),
		   "nodes/512|unasked|too many nodes\nnodes/513|unasked|too many nodes");
	facts_free(facts);
}

int main(void)
{
	check_too_many();
	check_facts(cases, sizeof(cases) / sizeof(cases[0]));
	return check_end();
}
