/*
 * GPUs as Windows has them: the functions below Enum\PCI, each with the driver
 * that its class key describes. The registry keeps devices that were taken out,
 * too; present is what the service of a driver counts.
 */

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "facts/products.h"
#include "facts/registry.h"
#include "parse/pnp.h"

#define BUS           REGISTRY_DEVICES "/PCI"
#define CLASSES       REGISTRY_CONTROL "/Class"
#define DISPLAY_CLASS "{4d36e968-e325-11ce-bfc1-08002be10318}"
#define AMD           0x1002
#define IS_DISABLED   0x1 /* ConfigFlags: the user has turned the device off */
#define CLASSES_MAX   64

/* One function on the bus while its rows are made. */
struct adapter {
	struct collect *c;
	const char *key;      /* below Enum/PCI, with its instance */
	const char *instance; /* PCI\VEN_...\..., as Windows writes it */
	const char *address;
	const char *driver_key; /* of the display class, or NULL */
	const char *service;    /* NULL: no driver */
	struct pnp_id id;
	struct product product;
	bool in_table;
};

static void gap(struct adapter *x, const char *topic, int error, const char *source)
{
	facts_gap(x->c->facts, topic, x->address, error, source);
}

/* An adapter that nobody could look at may be any of them: nothing is concluded from their number. */
static void gap_of_all(struct collect *c, const char *subject, int error, const char *source)
{
	static const char *const topics[] = { "gpu", "agent", "other_gpu" };

	for (size_t i = 0; i < COUNT(topics); i++)
		facts_gap(c->facts, topics[i], subject, error, source);
}

/* A value that tells what the adapter is: NULL if there is none, with a gap if it could not be read. */
static const char *telling_text(struct adapter *x, const char *value)
{
	struct span text;
	int r = registry_text(x->c, x->key, value, &text);

	if (r < 0 && r != -ENOENT)
		gap_of_all(x->c, x->instance, r,
			   arena_format(&x->c->arena, "%s/%s", x->key, value));
	return r == 0 && text.len > 0 ? arena_text(&x->c->arena, text) : NULL;
}

static const char *text_or_null(struct adapter *x, const char *key, const char *value)
{
	struct span text;

	return registry_text(x->c, key, value, &text) == 0 && text.len > 0
		       ? arena_text(&x->c->arena, text)
		       : NULL;
}

/* ---- which functions are adapters of displays, and there ---- */

/* A device that nobody has installed a driver for has no class of Windows, and the one of PCI. */
static bool is_of_class(struct adapter *x)
{
	const char *class = telling_text(x, "ClassGUID");
	struct span lines;
	uint32_t pci;

	if (class)
		return strcasecmp(class, DISPLAY_CLASS) == 0;
	if (registry_text(x->c, x->key, "HardwareID", &lines) < 0) {
		gap_of_all(x->c, x->instance, -EBADMSG, x->key); /* every device has one */
		return false;
	}
	return pnp_class_parse(lines, &pci) && (pci >> 16 == 0x03 || pci >> 16 == 0x12);
}

/*
 * The key `Enum` of a service is made anew at each start: "Count" and one value for each device. One
 * that cannot be read may be this one: it is taken for present, with a gap.
 */
static bool is_present(struct adapter *x)
{
	const char *key;
	uint64_t count;
	bool may_be = false;
	struct span text;
	int r;

	if (!x->service)
		return true; /* it has no driver that could count it */
	key = arena_format(&x->c->arena, REGISTRY_DRIVERS "/%s/Enum", x->service);
	r = registry_number(x->c, key, "Count", &count);
	if (r < 0 && r != -ENOENT)
		gap_of_all(x->c, x->instance, r, key);
	if (r < 0)
		return r != -ENOENT;
	for (uint64_t i = 0; i < count && i < COLLECT_GPUS_MAX; i++) {
		char name[24];

		snprintf(name, sizeof(name), "%u", (unsigned int)i);
		r = registry_text(x->c, key, name, &text);
		if (r < 0) {
			gap_of_all(x->c, x->instance, r, key);
			may_be = true;
		}
		if (r == 0 && text.len == strlen(x->instance) &&
		    strncasecmp(text.data, x->instance, text.len) == 0)
			return true;
	}
	return may_be;
}

static const char *find_address(struct adapter *x)
{
	char text[PCI_ADDRESS_MAX];
	struct pci_address at;
	struct span place;

	if (registry_text(x->c, x->key, "LocationInformation", &place) < 0 ||
	    !pnp_location_parse(place, &at))
		return NULL;
	pci_address_write(&at, text);
	return arena_text(&x->c->arena, span_of(text));
}

/* "{4d36e968-...}\0000" */
static const char *find_driver_key(struct adapter *x)
{
	const char *driver = text_or_null(x, x->key, "Driver");
	const char *number = driver ? strrchr(driver, '\\') : NULL;

	return number ? arena_format(&x->c->arena, CLASSES "/" DISPLAY_CLASS "/%s", number + 1)
		      : NULL;
}

/* ---- the rows of one ---- */

static void add_ids(struct adapter *x, struct row *r)
{
	struct arena *a = &x->c->arena;
	struct span lines;
	uint32_t class;

	row_string(r, "vendor_id", arena_format(a, "%04x", x->id.vendor));
	row_string(r, "device_id", arena_format(a, "%04x", x->id.device));
	if (x->id.has_subsystem) {
		row_string(r, "subsystem_vendor_id",
			   arena_format(a, "%04x", x->id.subsystem_vendor));
		row_string(r, "subsystem_device_id",
			   arena_format(a, "%04x", x->id.subsystem_device));
	}
	if (x->id.has_revision)
		row_string(r, "revision", arena_format(a, "%02x", x->id.revision));
	if (registry_text(x->c, x->key, "HardwareID", &lines) == 0 &&
	    pnp_class_parse(lines, &class))
		row_string(r, "class", arena_format(a, "%06x", class));
}

/* The table's name of this very revision, else what the driver calls it, else the table's for any. */
static void add_product(struct adapter *x, struct row *r)
{
	const char *says = x->driver_key ? text_or_null(x, x->driver_key, "DriverDesc") : NULL;
	bool exact = x->in_table && !span_is(x->product.revision, "-");

	if (says && strstr(says, "Microsoft"))
		says = NULL; /* the Basic Display Adapter names no product */
	if (!exact && says)
		row_string(r, "product", says);
	else if (x->in_table)
		row_text(r, "product", x->product.name);
}

static const char *gfx_of(struct adapter *x)
{
	return x->in_table && !span_is(x->product.gfx, "-")
		       ? arena_text(&x->c->arena, x->product.gfx)
		       : NULL;
}

static void add_memory(struct adapter *x, struct row *r)
{
	uint64_t bytes;
	int error = x->driver_key ? registry_number(x->c, x->driver_key,
						    "HardwareInformation.qwMemorySize", &bytes)
				  : -ENOENT;

	if (error == 0)
		row_u64(r, "vram_total_bytes", bytes);
	else
		gap(x, "gpu.vram_total_bytes", error, x->driver_key ? x->driver_key : x->key);
}

/* Columns that no registry value has; the gap keeps rules on them from deciding. */
static void add_gaps(struct adapter *x)
{
	static const char *const topics[] = {
		"gpu.vram_used_bytes",
		"gpu.visible_vram_total_bytes",
		"gpu.visible_vram_used_bytes",
		"gpu.numa_node",
		"gpu.bar0_bytes",
		"gpu.unique_id",
		"gpu.serial",
		"gpu.power_state",
		"gpu.power_control",
		"gpu.display_attached",
		"gpu.boot_vga",
		"gpu.iommu_group",
		"gpu.busy_percent",
		"gpu.pcie_replays",
		"gpu.bad_pages_retired",
		"gpu.bad_pages_pending",
		"gpu.bad_pages_failed",
		"gpu.vbios",
		"gpu.virtual_function",
	};

	for (size_t i = 0; i < sizeof(topics) / sizeof(topics[0]); i++)
		facts_gap_said(x->c->facts, topics[i], x->address, "absent",
			       "the registry of Windows does not tell it", x->key);
}

/* Programs reach the GPU through the display driver, which offers every one it drives. */
static void add_agent(struct adapter *x, const char *gfx)
{
	struct collect_agent *agent;
	struct row r = row_of("agent");

	if (!x->service || strcasecmp(x->service, "BasicDisplay") == 0 ||
	    x->c->agent_count == COLLECT_AGENTS_MAX)
		return;
	agent = &x->c->agents[x->c->agent_count++];
	*agent = (struct collect_agent){ .node = (unsigned int)x->c->agent_count,
					 .address = x->address,
					 .gfx = gfx };
	row_u64(&r, "node", agent->node);
	row_string(&r, "address", x->address);
	row_string(&r, "gfx", gfx);
	row_string(&r, "device_id", arena_format(&x->c->arena, "%04x", x->id.device));
	row_string(&r, "source", x->key);
	facts_add(x->c->facts, &r);
}

static void add_gpu(struct adapter *x)
{
	struct collect_gpu *g = &x->c->gpus[x->c->gpu_count++];
	struct row r = row_of("gpu");
	char device[8], revision[4];
	uint64_t flags;

	snprintf(device, sizeof(device), "%04x", x->id.device);
	snprintf(revision, sizeof(revision), "%02x", x->id.revision);
	x->in_table = products_find(span_of(data_products), span_of(device), span_of(revision),
				    &x->product);
	*g = (struct collect_gpu){ .address = x->address, .dir = x->key, .gfx = gfx_of(x) };
	row_string(&r, "address", x->address);
	add_ids(x, &r);
	add_product(x, &r);
	row_string(&r, "driver", x->service);
	row_string(&r, "gfx", g->gfx);
	if (!g->gfx)
		facts_gap_said(x->c->facts, "gpu.gfx", x->address, "absent",
			       "no such id in the table", x->key);
	if (x->in_table && x->product.integrated >= 0)
		row_int(&r, "integrated", x->product.integrated);
	else
		facts_gap_said(x->c->facts, "gpu.integrated", x->address, "absent",
			       "an unknown id, and nothing decides", x->key);
	add_memory(x, &r);
	if (registry_number(x->c, x->key, "ConfigFlags", &flags) == 0 && flags & IS_DISABLED)
		row_string(&r, "power_state", "disabled");
	row_string(&r, "source", x->key);
	facts_add(x->c->facts, &r);
	add_gaps(x);
	add_agent(x, g->gfx);
}

static void add_other(struct adapter *x)
{
	struct row r = row_of("other_gpu");

	row_string(&r, "address", x->address);
	row_string(&r, "vendor_id", arena_format(&x->c->arena, "%04x", x->id.vendor));
	row_string(&r, "source", x->key);
	facts_add(x->c->facts, &r);
}

/* ---- all of them ---- */

static void take_instance(struct collect *c, const struct pnp_id *id, const char *device,
			  const char *name)
{
	struct adapter x = { .c = c, .id = *id };

	x.key = arena_format(&c->arena, BUS "/%s/%s", device, name);
	x.instance = arena_format(&c->arena, "PCI\\%s\\%s", device, name);
	if (!is_of_class(&x))
		return;
	x.address = find_address(&x);
	if (!x.address)
		x.address = x.instance;
	x.driver_key = find_driver_key(&x);
	x.service = telling_text(&x, "Service");
	if (!is_present(&x))
		return;
	if (id->vendor != AMD)
		add_other(&x);
	else if (c->gpu_count < COLLECT_GPUS_MAX)
		add_gpu(&x);
	else
		facts_gap_said(c->facts, "gpu", x.address, "unasked",
			       "more GPUs than rocsteady looks at", BUS);
}

/* A key of the display class names the function it is for, so that no chipset is looked into. */
struct classes {
	struct pnp_id ids[CLASSES_MAX];
	size_t count;
};

static void read_classes(struct collect *c, struct classes *ret)
{
	struct root_names names;
	struct span text;
	int r = root_list(c->root, CLASSES "/" DISPLAY_CLASS, &names);

	ret->count = 0;
	if (r < 0)
		facts_gap(c->facts, "other_gpu", "", r, CLASSES "/" DISPLAY_CLASS);
	for (size_t i = 0; r == 0 && i < names.count && ret->count < CLASSES_MAX; i++) {
		const char *key =
			arena_format(&c->arena, CLASSES "/" DISPLAY_CLASS "/%s", names.names[i]);
		int error;

		if (strspn(names.names[i], "0123456789") != 4 || strlen(names.names[i]) != 4)
			continue;
		error = registry_text(c, key, "MatchingDeviceId", &text);
		if (error < 0 && error != -ENOENT)
			facts_gap(c->facts, "other_gpu", "", error, key);
		if (error == 0 && pnp_id_parse(text, &ret->ids[ret->count]))
			ret->count++;
	}
}

static bool may_be_display(const struct classes *classes, const struct pnp_id *id)
{
	for (size_t i = 0; i < classes->count; i++)
		if (classes->ids[i].vendor == id->vendor && classes->ids[i].device == id->device)
			return true;
	return id->vendor == AMD;
}

static void take_device(struct collect *c, const struct pnp_id *id, const char *name)
{
	const char *key = arena_format(&c->arena, BUS "/%s", name);
	struct root_names instances;
	int r = root_list(c->root, key, &instances);

	if (r < 0) /* the bus lists it, so that it cannot be absent */
		gap_of_all(c, name, r == -ENOENT ? -EBADMSG : r, key);
	for (size_t i = 0; r == 0 && i < instances.count; i++)
		take_instance(c, id, name, instances.names[i]);
}

/* 1 part of a processor. Cards come first: nobody knows how HIP counts, and most programs want one. */
static int is_integrated(const struct pnp_id *id)
{
	char device[8], revision[4];
	struct product product;

	snprintf(device, sizeof(device), "%04x", id->device);
	snprintf(revision, sizeof(revision), "%02x", id->revision);
	return products_find(span_of(data_products), span_of(device), span_of(revision),
			     &product) &&
	       product.integrated == 1;
}

void collect_windows_gpus(struct collect *c)
{
	struct root_names devices;
	struct classes classes;
	struct pnp_id id;
	int r = root_list(c->root, BUS, &devices);

	if (r < 0) {
		gap_of_all(c, "", r, BUS);
		return;
	}
	read_classes(c, &classes);
	for (int integrated = 0; integrated <= 1; integrated++)
		for (size_t i = 0; i < devices.count; i++)
			if (pnp_id_parse(span_of(devices.names[i]), &id) &&
			    may_be_display(&classes, &id) && is_integrated(&id) == integrated)
				take_device(c, &id, devices.names[i]);
}

/* ---- the driver of AMD's GPUs ---- */

/* "11-18-2025" -> "2025-11-18" */
static const char *iso_date(struct collect *c, struct span date)
{
	struct span month, day;

	if (!span_cut(&date, '-', &month) || !span_cut(&date, '-', &day) || date.len != 4)
		return NULL;
	return arena_format(&c->arena, "%.*s-%s%.*s-%s%.*s", (int)date.len, date.data,
			    month.len == 1 ? "0" : "", (int)month.len, month.data,
			    day.len == 1 ? "0" : "", (int)day.len, day.data);
}

static void add_driver(struct collect *c, const char *key, const char *service)
{
	struct row r = row_of("driver");
	struct span text, edition;

	row_string(&r, "name", service);
	row_int(&r, "loaded", 1);
	if (registry_text(c, key, "DriverVersion", &text) == 0)
		row_text(&r, "version", text);
	if (registry_text(c, key, "RadeonSoftwareEdition", &edition) == 0 && edition.len > 0)
		row_text(&r, "packaging", edition);
	row_string(&r, "source", key);
	facts_add(c->facts, &r);
	if (registry_text(c, key, "RadeonSoftwareVersion", &text) == 0)
		collect_statement(c, "driver", text, text, key);
	if (registry_text(c, key, "DriverDate", &text) == 0 && iso_date(c, text))
		collect_statement(c, "driver_date", span_of(iso_date(c, text)),
				  (struct span){ NULL, 0 }, key);
}

/* One package drives all GPUs, so that the first one tells it. */
void collect_windows_driver(struct collect *c)
{
	for (size_t i = 0; i < c->gpu_count; i++) {
		struct adapter x = { .c = c, .key = c->gpus[i].dir };

		x.driver_key = find_driver_key(&x);
		x.service = text_or_null(&x, x.key, "Service");
		if (x.driver_key && x.service && strcasecmp(x.service, "BasicDisplay") != 0) {
			add_driver(c, x.driver_key, x.service);
			return;
		}
	}
}
