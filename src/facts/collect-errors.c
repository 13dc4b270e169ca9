#include "facts/collect.h"

#include <errno.h>
#include <string.h>

#include "base/array.h"
#include "parse/aer.h"
#include "parse/pci.h"

#define BUS  "/sys/bus/pci/devices"
#define EDAC "/sys/devices/system/edac/mc"

/* ---- what PCIe functions have reported ---- */

/* A GPU or a network card, and the function whose counters are read for it. */
struct watched {
	struct collect *c;
	const char *device;
	const char *address;
};

static void add_error(const struct watched *w, const char *severity, const struct aer_error *e,
		      const char *path)
{
	struct row row = row_of("pcie_error");

	row_string(&row, "device", w->device);
	row_string(&row, "address", w->address);
	row_string(&row, "severity", severity);
	row_text(&row, "name", e->name);
	row_u64(&row, "count", e->count);
	row_string(&row, "source", path);
	facts_add(w->c->facts, &row);
}

/* False: the function has no such counters, or does not show them. */
static bool add_counters(const struct watched *w, const char *severity)
{
	const char *path = arena_format(&w->c->arena, BUS "/%s/aer_dev_%s", w->address, severity);
	struct aer_error e;
	struct span text;
	bool any = false;

	if (!collect_read(w->c, "pcie_error", w->device, &text, "%s", path))
		return false;
	while (aer_next(&text, &e)) {
		any = true;
		if (e.count > 0)
			add_error(w, severity, &e, path);
	}
	if (!any)
		facts_gap(w->c->facts, "pcie_error", w->device, -EBADMSG, path);
	return true;
}

/* Corrected errors are read for the device alone: they are a hint, and each file costs. */
static void add_function(struct collect *c, const char *device, const char *address)
{
	struct watched w = { c, device, address };

	if (add_counters(&w, "fatal") && add_counters(&w, "nonfatal") && device == address)
		add_counters(&w, "correctable");
}

/* The function above it on the bus, or NULL: ".../0000:00:01.1/0000:41:00.0". */
static const char *find_port_above(struct collect *c, struct span path)
{
	char above[PCI_ADDRESS_MAX];
	struct pci_address at;

	while (path.len > 0 && path.data[path.len - 1] != '/')
		path.len--;
	if (!pci_address_find_last(path, &at))
		return NULL;
	pci_address_write(&at, above);
	return arena_text(&c->arena, span_of(above));
}

/* The kernel log names the port that an error was seen at, and this tells whose way it is on. */
static void add_path(struct collect *c, const char *device, const char *real)
{
	struct row r = row_of("pcie_path");

	row_string(&r, "device", device);
	row_string(&r, "path", real);
	row_string(&r, "source", arena_format(&c->arena, BUS "/%s", device));
	facts_add(c->facts, &r);
}

/* An error of the link may be counted at the other end of it alone. */
static void add_both_ends(struct collect *c, const char *address)
{
	const char *above = NULL, *real;

	if (root_real(c->root, arena_format(&c->arena, BUS "/%s", address), &real) == 0) {
		above = find_port_above(c, span_of(real));
		add_path(c, address, real);
	}
	add_function(c, address, address);
	if (above)
		add_function(c, address, above);
}

void collect_pcie_errors(struct collect *c)
{
	for (size_t i = 0; i < c->gpu_count; i++)
		add_both_ends(c, c->gpus[i].address);
	for (size_t i = 0; i < c->nic_count; i++)
		add_both_ends(c, c->nics[i]);
}

/* ---- what memory controllers have seen ---- */

static const struct collect_file edac_files[] = {
	{ "mc_name", "kind", FORM_TEXT },
	{ "ue_count", "uncorrectable", FORM_U64 },
	{ "ce_count", "correctable", FORM_U64 },
};

void collect_memory_errors(struct collect *c)
{
	struct root_names names = { NULL, 0 };
	int r = root_list(c->root, EDAC, &names);

	if (r < 0)
		facts_gap(c->facts, "memory_controller", "", r, EDAC);
	for (size_t i = 0; i < names.count; i++) {
		const char *dir = arena_format(&c->arena, EDAC "/%s", names.names[i]);
		struct row row = row_of("memory_controller");

		if (strncmp(names.names[i], "mc", 2) != 0 || strchr(names.names[i], '/'))
			continue;
		row_string(&row, "name", names.names[i]);
		row_string(&row, "source", dir);
		collect_files(c, &row, names.names[i], dir, edac_files, COUNT(edac_files));
		facts_add(c->facts, &row);
	}
}
