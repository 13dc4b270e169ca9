#include "facts/collect.h"

#include <stdio.h>
#include <string.h>

#include "door/standing.h"
#include "facts/kfd-keys.h"
#include "facts/kfd-links.h"
#include "parse/gfx.h"
#include "parse/keyvals.h"
#include "parse/pci.h"

/* ---- kfd banks ---- */

/*
 * The memory of one KFD node, for the table agent.
 *
 * On an APU the kernel gives what the GPU may map, not the carve-out (linux 6.12:
 * always; 7.2: where that is more).
 */

#define BANKS_MAX 64

struct banks {
	uint64_t bytes;
	bool visible; /* all of it */
};

static int read_banks(struct collect *c, const char *dir, uint64_t count, struct banks *b,
		      const char **ret_at)
{
	uint64_t heap, size;
	struct span text;
	int r = 0;

	*ret_at = arena_format(&c->arena, "%s/mem_banks", dir);
	if (count > BANKS_MAX)
		return -EFBIG;
	for (uint64_t i = 0; i < count && r == 0; i++) {
		*ret_at =
			arena_format(&c->arena, "%s/mem_banks/%u/properties", dir, (unsigned int)i);
		r = root_read(c->root, *ret_at, &text);
		if (r == 0 &&
		    (!keyvals_u64(text, "heap_type", &heap) ||
		     !keyvals_u64(text, "size_in_bytes", &size) || size > INT64_MAX - b->bytes))
			r = -EBADMSG;
		/* 1 is memory of the GPU that the host can reach, 2 that it cannot; others are not its. */
		if (r == 0 && (heap == 1 || heap == 2)) {
			b->bytes += size;
			b->visible &= heap == 1;
		}
	}
	return r == 0 && b->bytes == 0 ? -ENOENT : r;
}

/* memory_bytes and memory_visible of a row, from `count` banks below `dir`. */
static void kfd_banks_collect(struct collect *c, struct row *r, const char *subject,
			      const char *dir, uint64_t count)
{
	struct banks b = { .visible = true };
	const char *at;
	int error = read_banks(c, dir, count, &b, &at);

	if (error < 0) {
		facts_gap(c->facts, "agent.memory_bytes", subject, error, at);
		facts_gap(c->facts, "agent.memory_visible", subject, error, at);
		return;
	}
	row_u64(r, "memory_bytes", b.bytes);
	row_int(r, "memory_visible", b.visible);
}

/* ---- collect kfd ---- */

#define NODES "/sys/class/kfd/kfd/topology/nodes"
#define BUS   "/sys/bus/pci/devices"

/* clang-format off */
enum {
	SIMDS, BANKS, IO_LINKS, P2P_LINKS, WAVES, LDS, WAVE, SIMDS_PER_CU, VERSION, DEVICE,
	LOCATION, DOMAIN, RENDER, HIVE, CLOCK, MEC, CAPABILITY, SDMA, UNIQUE, XCCS,
};
/* clang-format on */

static const struct kfd_key keys[] = {
	[SIMDS] = { "simd_count", "simds", KFD_NUMBER },
	[BANKS] = { "mem_banks_count", NULL, KFD_NUMBER },
	[IO_LINKS] = { "io_links_count", NULL, KFD_NUMBER },
	[P2P_LINKS] = { "p2p_links_count", NULL, KFD_NUMBER },
	[WAVES] = { "max_waves_per_simd", "max_waves_per_simd", KFD_NUMBER },
	[LDS] = { "lds_size_in_kb", "lds_kib", KFD_NUMBER },
	[WAVE] = { "wave_front_size", "wave_size", KFD_NUMBER },
	[SIMDS_PER_CU] = { "simd_per_cu", NULL, KFD_NUMBER },
	[VERSION] = { "gfx_target_version", NULL, KFD_NUMBER },
	[DEVICE] = { "device_id", "device_id", KFD_HEX },
	[LOCATION] = { "location_id", NULL, KFD_NUMBER },
	[DOMAIN] = { "domain", NULL, KFD_NUMBER },
	[RENDER] = { "drm_render_minor", "render_minor", KFD_NUMBER },
	[HIVE] = { "hive_id", "hive_id", KFD_ID },
	[CLOCK] = { "max_engine_clk_fcompute", "max_clock_mhz", KFD_NUMBER },
	[MEC] = { "fw_version", "mec_firmware", KFD_NUMBER },
	[CAPABILITY] = { "capability", "capability", KFD_HEX },
	[SDMA] = { "sdma_fw_version", "sdma_firmware", KFD_NUMBER },
	[UNIQUE] = { "unique_id", "unique_id", KFD_ID },
	[XCCS] = { "num_xcc", "xccs", KFD_NUMBER },
};

/* Bits of `capability`, from the kernel's uapi/linux/kfd_sysfs.h. */
static const struct {
	const char *column;
	uint32_t bit;
} bits[] = {
	{ "sramecc", 0x04000000 },
	{ "memory_ecc", 0x00100000 },
	{ "svm", 0x08000000 },
	{ "queue_reset", 0x80000000 },
};

struct node {
	unsigned int number;
	const char *dir;
	const char *subject; /* of gaps: the PCI address, or "nodes/3" while it is not known */
	bool has_gpu_id;
	uint64_t gpu_id;
	struct kfd_keys k;
};

/* ---- where it is ---- */

static bool is_on_bus(const struct root_names *bus, const char *address)
{
	for (size_t i = 0; i < bus->count; i++)
		if (strcmp(bus->names[i], address) == 0)
			return true;
	return false;
}

static unsigned int count_at(const struct collect *c, const char *address)
{
	unsigned int count = 0;

	for (size_t i = 0; address && i < c->agent_count; i++)
		count += c->agents[i].address && strcmp(c->agents[i].address, address) == 0;
	return count;
}

/*
 * On a partitioned MI300 the kernel ORs the number of the partition into the
 * function: 05:00.3 is a partition of 05:00.0 and stands nowhere on the bus. A
 * guest, though, may have a whole virtual GPU in each function of one slot, so
 * the bus decides. Source: linux 6.12 and 7.2, kfd_topology.c,
 * kfd_topology_add_device(); 6.1 knows no partitions.
 */
static const char *find_function(struct collect *c, const struct root_names *bus,
				 struct pci_address address)
{
	char text[PCI_ADDRESS_MAX];
	char first[PCI_ADDRESS_MAX];

	pci_address_write(&address, text);
	if (address.function == 0 || is_on_bus(bus, text))
		return arena_text(&c->arena, span_of(text));
	address.function = 0;
	pci_address_write(&address, first);
	if (is_on_bus(bus, first) || count_at(c, first) > 0)
		return arena_text(&c->arena, span_of(first));
	return arena_text(&c->arena, span_of(text));
}

/* An old kernel prints no `domain`: it is 0 then, as libhsakmt takes it too. */
static const char *find_address(struct collect *c, const struct root_names *bus,
				const struct node *n)
{
	struct pci_address address;
	bool domain_broken = n->k.present & ~n->k.known & 1u << DOMAIN;

	if (!kfd_keys_know(&n->k, LOCATION) || domain_broken ||
	    !pci_address_from_location(n->k.value[DOMAIN], n->k.value[LOCATION], &address)) {
		kfd_keys_gap(c, "agent", "address", n->subject, &n->k, LOCATION);
		return NULL;
	}
	return find_function(c, bus, address);
}

/* ---- what it is ---- */

static const char *find_gfx(struct collect *c, const struct node *n)
{
	uint32_t version = (uint32_t)n->k.value[VERSION];
	char name[GFX_NAME_MAX];

	if (!kfd_keys_know(&n->k, VERSION)) {
		kfd_keys_gap(c, "agent", "gfx", n->subject, &n->k, VERSION);
		return NULL;
	}
	if (gfx_name(version, name) < 0) {
		facts_gap_said(c->facts, "agent.gfx", n->subject, "broken",
			       arena_format(&c->arena, "gfx_target_version %u", version),
			       n->k.path);
		return NULL;
	}
	return arena_text(&c->arena, span_of(name));
}

/* ---- one node ---- */

static void add_row(struct collect *c, const struct node *n, const struct collect_agent *a)
{
	static const struct collect_file name = { "name", "name", FORM_TEXT };
	bool simds = kfd_keys_know(&n->k, SIMDS);
	struct row r = row_of("agent");

	row_int(&r, "node", n->number);
	if (n->has_gpu_id)
		row_u64(&r, "gpu_id", n->gpu_id);
	row_string(&r, "address", a->address);
	row_int(&r, "partition", a->partition);
	row_string(&r, "gfx", a->gfx);
	kfd_keys_columns(c, &r, n->subject, &n->k);
	if (simds && n->k.value[SIMDS_PER_CU] > 0)
		row_u64(&r, "compute_units", n->k.value[SIMDS] / n->k.value[SIMDS_PER_CU]);
	else
		kfd_keys_gap(c, "agent", "compute_units", n->subject, &n->k,
			     simds ? SIMDS_PER_CU : SIMDS);
	for (size_t i = 0; i < sizeof(bits) / sizeof(bits[0]); i++)
		if (kfd_keys_know(&n->k, CAPABILITY))
			row_int(&r, bits[i].column, (n->k.value[CAPABILITY] & bits[i].bit) != 0);
		else
			kfd_keys_gap(c, "agent", bits[i].column, n->subject, &n->k, CAPABILITY);
	kfd_banks_collect(c, &r, n->subject, n->dir, n->k.value[BANKS]);
	collect_files(c, &r, n->subject, n->dir, &name, 1);
	row_string(&r, "source", n->dir);
	facts_add(c->facts, &r);
}

static void add_agent(struct collect *c, const struct root_names *bus, struct node *n)
{
	struct collect_agent *a;

	if (c->agent_count == COLLECT_AGENTS_MAX) {
		facts_gap_said(c->facts, "agent", n->subject, "unasked", "too many nodes", n->dir);
		return;
	}
	a = &c->agents[c->agent_count];
	a->node = n->number;
	a->gpu_id = n->gpu_id;
	a->address = find_address(c, bus, n);
	a->partition = count_at(c, a->address);
	if (a->address)
		n->subject = a->address;
	a->gfx = find_gfx(c, n);
	a->render_minor = (unsigned int)n->k.value[RENDER];
	c->agent_count++;
	add_row(c, n, a);
	if (a->partition > 0)
		return;
	if (n->k.value[IO_LINKS] > 0)
		kfd_links_collect(c, n->subject, arena_format(&c->arena, "%s/io_links", n->dir),
				  false);
	if (n->k.value[P2P_LINKS] > 0)
		kfd_links_collect(c, n->subject, arena_format(&c->arena, "%s/p2p_links", n->dir),
				  true);
}

/*
 * False for a node without a GPU, which has gpu_id 0 and no SIMDs, and for one
 * that tells nothing. In a container the files of a GPU that its device cgroup does not
 * grant exist and answer EPERM; those of processors can always be read.
 */
static bool read_node(struct collect *c, struct node *n)
{
	const char *path = arena_format(&c->arena, "%s/gpu_id", n->dir);
	struct span text;
	int r = root_read(c->root, path, &text), error;

	if (r == 0)
		n->has_gpu_id = span_u64(span_trim(text), &n->gpu_id);
	if (n->has_gpu_id && n->gpu_id == 0)
		return false;
	if (r < 0 && r != -ENOENT && r != DOOR_UNASKED) {
		facts_gap(c->facts, "agent", n->subject, r, path);
		return false;
	}
	error = root_read(c->root, n->k.path, &text);
	if (error == -ENOENT)
		error = -EBADMSG; /* the node was listed: it is there, and not whole */
	if (error < 0) {
		facts_gap(c->facts, "agent", n->subject, error, n->k.path);
		return false;
	}
	kfd_keys_read(&n->k, text);
	if (kfd_keys_know(&n->k, SIMDS) && n->k.value[SIMDS] == 0)
		return false;
	if (!n->has_gpu_id)
		facts_gap(c->facts, "agent.gpu_id", n->subject, r < 0 ? r : -EBADMSG, path);
	return n->has_gpu_id || kfd_keys_know(&n->k, SIMDS);
}

static void collect_node(struct collect *c, const struct root_names *bus, const char *name)
{
	const char *dir = arena_format(&c->arena, NODES "/%s", name);
	struct node n = {
		.dir = dir,
		.subject = arena_format(&c->arena, "nodes/%s", name),
		.k = KFD_KEYS(keys, arena_format(&c->arena, "%s/properties", dir)),
	};
	uint64_t number;

	if (!span_u64(span_of(name), &number) || number > UINT16_MAX)
		return;
	n.number = (unsigned int)number;
	if (read_node(c, &n))
		add_agent(c, bus, &n);
}

void collect_kfd(struct collect *c)
{
	struct root_names nodes;
	struct root_names bus = { 0 };
	int r = root_list(c->root, NODES, &nodes);

	if (r < 0) {
		facts_gap(c->facts, "agent", "", r, NODES);
		facts_gap(c->facts, "agent_link", "", r, NODES);
		return;
	}
	(void)root_list(c->root, BUS, &bus); /* collect_gpus says when this fails */
	for (size_t i = 0; i < nodes.count; i++)
		collect_node(c, &bus, nodes.names[i]);
}
