#include "facts/collect.h"

#include <string.h>

#include "door/standing.h"
#include "facts/gpu-columns.h"
#include "parse/pci.h"

#define BUS               "/sys/bus/pci/devices"
#define CLASS_DISPLAY     0x03
#define CLASS_ACCELERATOR 0x12

struct found_function {
	struct pci_address at;
	uint32_t class;
};

/* ---- the card, its render node and its monitors ---- */

static bool is_numbered(const char *name, const char *stem)
{
	size_t n = strlen(stem);

	return strncmp(name, stem, n) == 0 && name[n] &&
	       strspn(name + n, "0123456789") == strlen(name + n);
}

static void add_display(struct collect *c, struct collect_gpu *g, struct row *row)
{
	const char *dir = arena_format(&c->arena, "%s/drm/%s", g->dir, g->card);
	const char *stem = arena_format(&c->arena, "%s-", g->card);
	struct root_names names = { NULL, 0 };
	int failure = root_list(c->root, dir, &names);

	for (size_t i = 0; i < names.count; i++) {
		struct span status;
		int r;

		if (strncmp(names.names[i], stem, strlen(stem)) != 0 || strchr(names.names[i], '/'))
			continue;
		r = root_read(c->root, arena_format(&c->arena, "%s/%s/status", dir, names.names[i]),
			      &status);
		/* A writeback connector is "unknown". */
		g->display |= r == 0 && span_is(span_trim(status), "connected");
		failure = r < 0 ? r : failure;
	}
	if (g->display || failure == 0)
		row_int(row, "display_attached", g->display);
	else
		facts_gap(c->facts, "gpu.display_attached", g->address, failure, dir);
}

static void add_drm(struct collect *c, struct collect_gpu *g, struct row *row)
{
	const char *dir = arena_format(&c->arena, "%s/drm", g->dir);
	struct root_names names = { NULL, 0 };
	int r = root_list(c->root, dir, &names);

	for (size_t i = 0; i < names.count; i++) {
		if (!g->card && is_numbered(names.names[i], "card"))
			g->card = names.names[i];
		if (!g->render && is_numbered(names.names[i], "renderD"))
			g->render = names.names[i];
	}
	if (r == 0)
		r = -ENOENT;
	row_string(row, "card", g->card);
	row_string(row, "render", g->render);
	if (!g->render)
		facts_gap(c->facts, "gpu.render", g->address, r, dir);
	if (g->card) {
		add_display(c, g, row);
		return;
	}
	facts_gap(c->facts, "gpu.card", g->address, r, dir);
	facts_gap(c->facts, "gpu.display_attached", g->address, r, dir);
}

/* ---- which functions are GPUs ---- */

static bool read_hex(struct collect *c, const char *address, const char *name, uint64_t *ret)
{
	const char *path = arena_format(&c->arena, BUS "/%s/%s", address, name);
	struct span text;

	if (!collect_read(c, "gpu", address, &text, "%s", path))
		return false;
	if (span_hex(text, ret))
		return true;
	facts_gap(c->facts, "gpu", address, -EBADMSG, path);
	return false;
}

/* One read for a function that is nothing of ours. */
static bool is_gpu(struct collect *c, const char *address, uint32_t *ret_class)
{
	struct row other = row_of("other_gpu");
	uint64_t class;
	uint64_t vendor;

	if (!read_hex(c, address, "class", &class))
		return false;
	*ret_class = (uint32_t)(class & 0xffffff);
	if (*ret_class >> 16 != CLASS_DISPLAY && *ret_class >> 16 != CLASS_ACCELERATOR)
		return false;
	if (!read_hex(c, address, "vendor", &vendor)) {
		facts_gap_said(c->facts, "other_gpu", address, "broken", "no vendor", BUS);
		return false;
	}
	if (vendor == 0x1002)
		return true;
	/* Another maker's GPU: programs may be meant for that one. */
	row_string(&other, "address", address);
	row_string(&other, "vendor_id",
		   arena_format(&c->arena, "%04x", (unsigned int)vendor & 0xffff));
	row_string(&other, "source", arena_format(&c->arena, BUS "/%s/vendor", address));
	facts_add(c->facts, &other);
	return false;
}

/*
 * In the order of the bus. The listing's own order takes digits for decimal and
 * puts 1a before 10.
 */
static size_t find_gpus(struct collect *c, const struct root_names *names,
			struct found_function *ret)
{
	size_t count = 0;
	size_t i;

	for (size_t n = 0; n < names->count; n++) {
		struct found_function f;

		if (!pci_address_parse(span_of(names->names[n]), &f.at) ||
		    !is_gpu(c, names->names[n], &f.class))
			continue;
		if (count == COLLECT_GPUS_MAX) {
			facts_gap_said(c->facts, "gpu", names->names[n], "unasked",
				       "more GPUs than rocsteady looks at", BUS);
			continue;
		}
		for (i = count++; i > 0 && pci_address_compare(&f.at, &ret[i - 1].at) < 0; i--)
			ret[i] = ret[i - 1];
		ret[i] = f;
	}
	return count;
}

static void add_gpu(struct collect *c, const struct found_function *f)
{
	struct collect_gpu *g = &c->gpus[c->gpu_count++];
	struct row row = row_of("gpu");
	char address[PCI_ADDRESS_MAX];

	pci_address_write(&f->at, address);
	g->address = arena_text(&c->arena, span_of(address));
	g->dir = arena_format(&c->arena, BUS "/%s", address);
	row_string(&row, "address", g->address);
	row_string(&row, "vendor_id", "1002");
	row_string(&row, "class", arena_format(&c->arena, "%06x", f->class));
	row_string(&row, "source", g->dir);
	gpu_columns_add(c, g, &row);
	add_drm(c, g, &row);
	facts_add(c->facts, &row);
}

/* The tree of an image has no /sys, nor has a chroot: nobody could say what GPUs there are. */
static bool has_no_sysfs(struct collect *c)
{
	struct door_node node;

	return root_kind(c->root) == DOOR_TREE || root_stat(c->root, "/sys/bus", &node) == -ENOENT;
}

void collect_gpus(struct collect *c)
{
	struct found_function found[COLLECT_GPUS_MAX];
	struct root_names names;
	size_t count;
	int r = root_list(c->root, BUS, &names);

	if (r == -ENOENT && has_no_sysfs(c))
		r = DOOR_UNASKED;
	if (r < 0) {
		facts_gap(c->facts, "gpu", "", r, BUS);
		return;
	}
	count = find_gpus(c, &names, found);
	for (size_t i = 0; i < count; i++)
		add_gpu(c, &found[i]);
}
