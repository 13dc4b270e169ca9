#include "facts/gpu-columns.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "door/standing.h"
#include "facts/products.h"
#include "parse/pci.h"
#include "parse/ras.h"

/*
 * Sizes are decimal bytes. pcie_replay_count is 0 also where the kernel has no
 * counter for the chip (RDNA and MI300 in Linux 6.12).
 */
static const struct collect_file files[] = {
	{ "device", "device_id", FORM_HEX4 },
	{ "subsystem_vendor", "subsystem_vendor_id", FORM_HEX4 },
	{ "subsystem_device", "subsystem_device_id", FORM_HEX4 },
	{ "revision", "revision", FORM_HEX2 },
	{ "numa_node", "numa_node", FORM_I64 },
	{ "boot_vga", "boot_vga", FORM_U64 },
	{ "power/runtime_status", "power_state", FORM_TEXT },
	{ "power/control", "power_control", FORM_TEXT },
	{ "mem_info_vram_total", "vram_total_bytes", FORM_U64 },
	{ "mem_info_vram_used", "vram_used_bytes", FORM_U64 },
	{ "mem_info_vis_vram_total", "visible_vram_total_bytes", FORM_U64 },
	{ "mem_info_vis_vram_used", "visible_vram_used_bytes", FORM_U64 },
	{ "mem_info_gtt_total", "gtt_total_bytes", FORM_U64 },
	{ "mem_info_gtt_used", "gtt_used_bytes", FORM_U64 },
	{ "mem_info_vram_vendor", "vram_vendor", FORM_TEXT },
	{ "vbios_version", "vbios", FORM_TEXT },
	{ "serial_number", "serial", FORM_TEXT },
	{ "product_number", "product_number", FORM_TEXT },
	{ "current_compute_partition", "compute_partition", FORM_TEXT },
	{ "current_memory_partition", "memory_partition", FORM_TEXT },
	{ "gpu_busy_percent", "busy_percent", FORM_U64 },
	{ "pcie_replay_count", "pcie_replays", FORM_U64 },
};

/* One GPU while its row is made. */
struct gpu {
	struct collect *c;
	struct collect_gpu *g;
	struct row *row;
	bool in_table;
	struct product product; /* valid if in_table */
};

static void gap(struct gpu *x, const char *topic, int error, const char *source)
{
	facts_gap(x->c->facts, topic, x->g->address, error, source);
}

static void gap_absent(struct gpu *x, const char *topic, const char *why, const char *source)
{
	facts_gap_said(x->c->facts, topic, x->g->address, "absent", why, source);
}

static const char *path_of(struct gpu *x, const char *name)
{
	return arena_format(&x->c->arena, "%s/%s", x->g->dir, name);
}

static const struct row_cell *find_cell(const struct row *r, const char *column)
{
	for (size_t i = 0; i < r->count; i++)
		if (strcmp(r->cells[i].column, column) == 0)
			return &r->cells[i];
	return NULL;
}

static struct span text_of(const struct row *r, const char *column)
{
	const struct row_cell *cell = find_cell(r, column);

	return cell ? cell->text : (struct span){ NULL, 0 };
}

static struct span last_part(struct span path)
{
	struct span part = path;

	while (span_cut(&path, '/', &part))
		;
	return part;
}

static void add_driver(struct gpu *x)
{
	const char *path = path_of(x, "driver");
	struct span target;
	int r = root_link(x->c->root, path, &target);

	if (r == 0) {
		target = last_part(target);
		x->g->bound = span_is(target, "amdgpu");
		row_text(x->row, "driver", target);
	} else if (r != -ENOENT) {
		gap(x, "gpu.driver", r, path);
	}
}

static void add_product(struct gpu *x)
{
	const char *path = path_of(x, "product_name");
	struct span name = { NULL, 0 };
	int r = root_read(x->c->root, path, &name);

	x->in_table = products_find(span_of(data_products), text_of(x->row, "device_id"),
				    text_of(x->row, "revision"), &x->product);
	name = span_trim(name);
	if (r == 0 && name.len > 0)
		row_text(x->row, "product", name);
	else if (x->in_table)
		row_text(x->row, "product", x->product.name);
	else
		gap_absent(x, "gpu.product", "no name on the card, no such id in the table", path);
}

/* KFD alone says what the chip is; the table of products would be a guess. */
static void add_gfx(struct gpu *x)
{
	for (size_t i = 0; i < x->c->agent_count && !x->g->gfx; i++)
		if (x->c->agents[i].address && strcmp(x->c->agents[i].address, x->g->address) == 0)
			x->g->gfx = x->c->agents[i].gfx;
	row_string(x->row, "gfx", x->g->gfx);
	if (!x->g->gfx)
		gap_absent(x, "gpu.gfx", "no KFD node tells it",
			   "/sys/class/kfd/kfd/topology/nodes");
}

/* Raven to Strix: function 2 beside the GPU is the processor's security device, of AMD's CPU id. */
static bool has_cpu_function(struct gpu *x)
{
	size_t stem = strlen(x->g->dir) - 1;
	struct span vendor;

	return x->g->dir[stem] == '0' &&
	       root_read(x->c->root,
			 arena_format(&x->c->arena, "%.*s2/vendor", (int)stem, x->g->dir),
			 &vendor) == 0 &&
	       span_is(span_trim(vendor), "0x1022");
}

/*
 * An id that the table lacks is decided by what only one kind has. amdgpu makes
 * board_info for cards and modules, not for APUs, but only since Linux 6.8: its
 * absence says nothing. Bus 0 says nothing either, a guest sees cards there,
 * and neither does the size of memory: a carve-out may be 96 GiB.
 */
static void add_integrated(struct gpu *x)
{
	const char *path = path_of(x, "board_info");
	struct door_node node;

	if (x->in_table && x->product.integrated >= 0)
		row_int(x->row, "integrated", x->product.integrated);
	else if (root_stat(x->c->root, path, &node) == 0)
		row_int(x->row, "integrated", 0);
	else if (has_cpu_function(x))
		row_int(x->row, "integrated", 1);
	else
		gap_absent(x, "gpu.integrated", "an unknown id, and nothing decides", path);
}

/* A guest has no physfn: there only the id tells. */
static void add_virtual(struct gpu *x)
{
	const char *path = path_of(x, "physfn");
	struct span target;
	int r = root_link(x->c->root, path, &target);
	int known = x->in_table ? x->product.virtual_function : -1;

	if (r == 0 || known == 1)
		row_int(x->row, "virtual_function", 1);
	else if (r == -ENOENT && known == 0)
		row_int(x->row, "virtual_function", 0);
	else
		gap(x, "gpu.virtual_function", r, path);
}

static void add_iommu(struct gpu *x)
{
	const char *path = path_of(x, "iommu_group");
	struct span target;
	struct span type;
	uint64_t group;
	int r = root_link(x->c->root, path, &target);

	if (r == -ENOENT)
		return;
	if (r == 0 && !span_u64(last_part(target), &group))
		r = -EBADMSG;
	if (r < 0) {
		gap(x, "gpu.iommu_group", r, path);
		gap(x, "gpu.iommu_type", r, path);
		return;
	}
	row_u64(x->row, "iommu_group", group);
	if (collect_read(x->c, "gpu.iommu_type", x->g->address, &type,
			 "/sys/kernel/iommu_groups/%llu/type", (unsigned long long)group))
		row_text(x->row, "iommu_type", type);
}

/* BAR 0 is the window into VRAM on everything since 2013. */
static void add_bar(struct gpu *x)
{
	const char *path = path_of(x, "resource");
	struct pci_resource bar;
	struct span text;

	if (!collect_read(x->c, "gpu.bar0_bytes", x->g->address, &text, "%s", path))
		return;
	if (pci_resource_find(text, 0, &bar) && bar.size > 0)
		row_u64(x->row, "bar0_bytes", bar.size);
	else
		gap_absent(x, "gpu.bar0_bytes", "BAR 0 is not in use", path);
}

static void add_number(struct gpu *x, const char *column, uint64_t id)
{
	if (id != 0)
		row_string(x->row, column,
			   arena_format(&x->c->arena, "%016llx", (unsigned long long)id));
}

/* Hexadecimal, "a1ffa2de4f9d0a7f"; empty if the chip has none. In KFD it is decimal. */
static void add_unique_id(struct gpu *x)
{
	const char *path = path_of(x, "unique_id");
	struct span text;
	uint64_t id;

	if (!collect_read(x->c, "gpu.unique_id", x->g->address, &text, "%s", path))
		return;
	if (text.len == 0)
		gap_absent(x, "gpu.unique_id", "the file is empty", path);
	else if (span_hex(text, &id))
		add_number(x, "unique_id", id);
	else
		gap(x, "gpu.unique_id", -EBADMSG, path);
}

/* Decimal, "10631624818852212319"; the directory is there only in a hive. */
static void add_hive(struct gpu *x)
{
	const char *path = path_of(x, "xgmi_hive_info/xgmi_hive_id");
	struct span text;
	uint64_t id;
	int r = root_read(x->c->root, path, &text);

	if (r == 0 && span_u64(span_trim(text), &id))
		add_number(x, "hive_id", id);
	else if (r != -ENOENT || !x->g->bound)
		gap(x, "gpu.hive_id", r < 0 ? r : -EBADMSG, path);
}

/* An empty list of pages is an answer: none. */
static void add_bad_pages(struct gpu *x)
{
	static const struct {
		char flag;
		const char *column;
		const char *topic;
	} kinds[] = {
		{ 'R', "bad_pages_retired", "gpu.bad_pages_retired" },
		{ 'P', "bad_pages_pending", "gpu.bad_pages_pending" },
		{ 'F', "bad_pages_failed", "gpu.bad_pages_failed" },
	};
	const char *path = path_of(x, "ras/gpu_vram_bad_pages");
	struct ras_bad_page page;
	struct span text;
	int r = root_read(x->c->root, path, &text);

	for (size_t i = 0; i < COUNT(kinds); i++) {
		struct span rest = text;
		int64_t count = 0;

		if (r < 0) {
			gap(x, kinds[i].topic, r, path);
			continue;
		}
		while (ras_bad_page_next(&rest, &page))
			count += page.flag == kinds[i].flag;
		row_int(x->row, kinds[i].column, count);
	}
}

void gpu_columns_add(struct collect *c, struct collect_gpu *g, struct row *row)
{
	struct gpu x = { .c = c, .g = g, .row = row };
	const struct row_cell *used;

	collect_files(c, row, g->address, g->dir, files, COUNT(files));
	used = find_cell(row, "vram_used_bytes");
	g->vram_known = used != NULL;
	g->vram_used = used ? (uint64_t)used->number : 0;
	add_driver(&x);
	add_product(&x);
	add_gfx(&x);
	add_integrated(&x);
	add_virtual(&x);
	add_iommu(&x);
	add_bar(&x);
	add_unique_id(&x);
	add_hive(&x);
	add_bad_pages(&x);
}
