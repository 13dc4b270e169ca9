#include "facts/collect.h"

#include <errno.h>
#include <string.h>

#include "base/array.h"
#include "parse/pci.h"
#include "parse/rdma.h"

#define NETS   "/sys/class/net"
#define RDMA   "/sys/class/infiniband"
#define IFF_UP 1 /* of flags: somebody wants the interface to work */

/* The part behind the last slash, which is taken off. */
static struct span cut_last(struct span *path)
{
	struct span last = { path->data + path->len, 0 };

	while (path->len > 0 && path->data[path->len - 1] != '/') {
		path->len--;
		last.data--;
		last.len++;
	}
	if (path->len > 0)
		path->len--;
	return last;
}

/*
 * The PCI function right above an entry of a class:
 * "../../devices/pci0000:40/0000:40:03.1/0000:51:00.0/net/eth2". NULL for what has
 * none: a bridge, a bond, the end of a container's cable, of which a node may have
 * hundreds, a part of a function (virtio1, mlx5_core.sf.2).
 */
static const char *find_function(struct collect *c, const char *table, const char *name,
				 const char *entry)
{
	char address[PCI_ADDRESS_MAX];
	struct pci_address at;
	struct span target;
	int r = root_link(c->root, entry, &target);

	if (r < 0) {
		if (r != -EINVAL) /* bonding_masters is a file */
			facts_gap(c->facts, table, name, r, entry);
		return NULL;
	}
	cut_last(&target);
	cut_last(&target);
	if (!pci_address_parse(cut_last(&target), &at))
		return NULL;
	pci_address_write(&at, address);
	return arena_text(&c->arena, span_of(address));
}

/* Call for each entry of a directory of /sys/class; without the directory there is none. */
static void each_device(struct collect *c, const char *class, const char *table,
			void (*add)(struct collect *c, const char *name, const char *dir))
{
	struct root_names names = { NULL, 0 };
	int r = root_list(c->root, class, &names);

	if (r < 0)
		facts_gap(c->facts, table, "", r, class);
	for (size_t i = 0; i < names.count; i++)
		if (!strchr(names.names[i], '/'))
			add(c, names.names[i],
			    arena_format(&c->arena, "%s/%s", class, names.names[i]));
}

/* ---- network interfaces ---- */

static const struct collect_file net_files[] = {
	{ "operstate", "operstate", FORM_TEXT },
	{ "carrier_up_count", "link_ups", FORM_U64 },
	{ "carrier_down_count", "link_downs", FORM_U64 },
};

static const struct collect_file carrier = { "carrier", "carrier", FORM_U64 };

/* "-1" where the driver does not know it. */
static void add_speed(struct collect *c, struct row *row, const char *address, const char *dir)
{
	struct span text;
	int64_t speed;

	if (!collect_read(c, "nic.speed_mbps", address, &text, "%s/speed", dir))
		return;
	if (span_i64(text, &speed) && speed > 0)
		row_int(row, "speed_mbps", speed);
	else
		facts_gap_said(c->facts, "nic.speed_mbps", address, "absent", "not known", dir);
}

static void add_carrier(struct collect *c, struct row *row, const char *address, const char *dir)
{
	const char *path = arena_format(&c->arena, "%s/carrier", dir);
	struct span text;

	if (collect_read(c, "nic.carrier", address, &text, "%s", path) &&
	    collect_value(c, row, address, text, &carrier, path) && span_is(text, "1"))
		add_speed(c, row, address, dir);
}

/* An interface that nobody wants up answers EINVAL to the rest. */
static void add_link(struct collect *c, struct row *row, const char *address, const char *dir)
{
	const char *path = arena_format(&c->arena, "%s/flags", dir);
	uint64_t flags = 0;
	struct span text;
	int r = root_read(c->root, path, &text);

	if (r == 0 && !span_hex(span_trim(text), &flags))
		r = -EBADMSG;
	if (r < 0) {
		facts_gap(c->facts, "nic.up", address, r, path);
		facts_gap(c->facts, "nic.carrier", address, r, path);
		return;
	}
	row_int(row, "up", (flags & IFF_UP) != 0);
	if (flags & IFF_UP)
		add_carrier(c, row, address, dir);
}

static void add_nic(struct collect *c, const char *name, const char *dir)
{
	const char *address = find_function(c, "nic", name, dir);
	struct row row = row_of("nic");

	if (!address)
		return;
	row_string(&row, "address", address);
	row_string(&row, "name", name);
	row_string(&row, "source", dir);
	add_link(c, &row, address, dir);
	collect_files(c, &row, address, dir, net_files, COUNT(net_files));
	facts_add(c->facts, &row);
}

/* ---- ports for RDMA ---- */

static const struct collect_file ids[] = {
	{ "vendor", "vendor_id", FORM_HEX4 },
	{ "device", "device_id", FORM_HEX4 },
	{ "subsystem_device", "subsystem_device_id", FORM_HEX4 },
};

static const struct collect_file port_files[] = {
	{ "link_layer", "link_layer", FORM_TEXT },
};

struct rdma_device {
	const char *name, *dir, *address;
	bool virtual;
};

static void add_state(struct collect *c, struct row *row, const char *address, const char *dir,
		      const char *column)
{
	const char *topic = arena_format(&c->arena, "rdma_port.%s", column);
	struct span text, state;

	if (!collect_read(c, topic, address, &text, "%s/%s", dir, column))
		return;
	if (rdma_state_parse(text, &state))
		row_text(row, column, state);
	else
		facts_gap(c->facts, topic, address, -EBADMSG, dir);
}

static void add_rate(struct collect *c, struct row *row, const char *address, const char *dir)
{
	struct rdma_rate rate;
	struct span text;

	if (!collect_read(c, "rdma_port.rate_gbps", address, &text, "%s/rate", dir))
		return;
	if (!rdma_rate_parse(text, &rate)) {
		facts_gap(c->facts, "rdma_port.rate_gbps", address, -EBADMSG, dir);
		return;
	}
	row_real(row, "rate_gbps", (double)rate.tenths / 10);
	row_u64(row, "lanes", rate.lanes);
}

/* "N/A (no PMA)" where the card does not count. */
static void add_downed(struct collect *c, struct row *row, const char *address, const char *dir)
{
	const char *path = arena_format(&c->arena, "%s/counters/link_downed", dir);
	uint64_t count;
	struct span text;

	if (!collect_read(c, "rdma_port.link_downed", address, &text, "%s", path))
		return;
	if (span_u64(text, &count))
		row_u64(row, "link_downed", count);
	else
		facts_gap(c->facts, "rdma_port.link_downed", address,
			  span_starts(text, "N/A") ? -ENODATA : -EBADMSG, path);
}

static void add_port(struct collect *c, const struct rdma_device *d, const char *port)
{
	const char *dir = arena_format(&c->arena, "%s/ports/%s", d->dir, port);
	const char *pci = arena_format(&c->arena, "/sys/bus/pci/devices/%s", d->address);
	struct row row = row_of("rdma_port");
	uint64_t number;

	if (!span_u64(span_of(port), &number))
		return;
	row_string(&row, "address", d->address);
	row_string(&row, "device", d->name);
	row_u64(&row, "port", number);
	row_int(&row, "virtual_function", d->virtual);
	row_string(&row, "source", dir);
	add_state(c, &row, d->address, dir, "state");
	if (!d->virtual) {
		add_state(c, &row, d->address, dir, "phys_state");
		add_rate(c, &row, d->address, dir);
		add_downed(c, &row, d->address, dir);
		collect_files(c, &row, d->address, dir, port_files, COUNT(port_files));
		collect_files(c, &row, d->address, pci, ids, COUNT(ids));
	}
	facts_add(c->facts, &row);
}

static void keep_nic(struct collect *c, const char *address)
{
	c->nics = arena_grow(&c->arena, c->nics, c->nic_count, sizeof(*c->nics));
	c->nics[c->nic_count++] = address;
}

static void add_device(struct collect *c, const char *name, const char *dir)
{
	struct rdma_device d = { .name = name, .dir = dir };
	const char *ports = arena_format(&c->arena, "%s/ports", dir);
	struct root_names names = { NULL, 0 };
	struct span ignored;
	int r;

	d.address = find_function(c, "rdma_port", name, dir);
	if (!d.address)
		return;
	d.virtual = root_link(c->root,
			      arena_format(&c->arena, "/sys/bus/pci/devices/%s/physfn", d.address),
			      &ignored) == 0;
	if (!d.virtual)
		keep_nic(c, d.address);
	r = root_list(c->root, ports, &names);
	if (r < 0)
		facts_gap(c->facts, "rdma_port", d.address, r, ports);
	for (size_t i = 0; i < names.count; i++)
		add_port(c, &d, names.names[i]);
}

void collect_nics(struct collect *c)
{
	each_device(c, NETS, "nic", add_nic);
	each_device(c, RDMA, "rdma_port", add_device);
}
