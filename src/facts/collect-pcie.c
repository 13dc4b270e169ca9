#include "base/array.h"
#include "facts/collect.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "door/standing.h"
#include "parse/pci.h"
#include "parse/pcie.h"

#define HOPS_MAX 256 /* as many as a domain has buses */

struct hop {
	const char *address;
	const char *dir;
};

static const struct collect_file ids[] = {
	{ "vendor", "vendor_id", FORM_HEX4 },
	{ "device", "device_id", FORM_HEX4 },
};

/*
 * An endpoint and the upper port of a switch tell of the link above them, a
 * root port and the lower ports of a switch of the link below.
 */
static const struct collect_file links[] = {
	{ "current_link_speed", "speed_gts", FORM_SPEED },
	{ "current_link_width", "width", FORM_U64 },
	{ "max_link_speed", "max_speed_gts", FORM_SPEED },
	{ "max_link_width", "max_width", FORM_U64 },
};

/* Functions without a link of their own: "Unknown", and a width of 0 or, where max_, 255. */
static bool is_no_link(struct span value)
{
	return span_is(value, "Unknown") || span_is(value, "0") || span_is(value, "255");
}

static void add_links(struct collect *c, struct row *row, const struct hop *hop)
{
	struct span value;
	char topic[64];

	for (size_t i = 0; i < COUNT(links); i++) {
		const char *path = arena_format(&c->arena, "%s/%s", hop->dir, links[i].file);

		snprintf(topic, sizeof(topic), "pcie.%s", links[i].column);
		if (!collect_read(c, topic, hop->address, &value, "%s", path))
			continue;
		if (is_no_link(value))
			facts_gap_said(c->facts, topic, hop->address, "absent",
				       "no link of its own", path);
		else
			collect_value(c, row, hop->address, value, &links[i], path);
	}
}

/* ---- what only root may read: the registers, as survey/asks.c writes them ---- */

enum { PORT, DEVCAP2, DEVCTL2, ACS_CTL, REGISTERS };

struct registers {
	uint64_t value[REGISTERS];
	bool known[REGISTERS];
};

/* "port 5\n...devcap2 0x70993\n..."; a register that was not reached has no line. */
static struct registers parse_registers(struct span text)
{
	static const char *const names[REGISTERS] = { "port", "devcap2", "devctl2", "acs_ctl" };
	struct registers r = { 0 };
	struct span line;
	struct span key;

	while (span_line(&text, &line)) {
		if (!span_cut(&line, ' ', &key))
			continue;
		for (size_t i = 0; i < REGISTERS; i++)
			if (span_is(key, names[i]))
				r.known[i] = span_starts(line, "0x") ? span_hex(line, &r.value[i])
								     : span_u64(line, &r.value[i]);
	}
	return r;
}

/* Bits of a path: most are those that pci_enable_atomic_ops_to_root() checks for a GPU. */
static const struct {
	const char *column;
	int source;
	uint32_t bit; /* 0: the whole register */
} bits[] = {
	{ "port", PORT, 0 },
	{ "atomics_route", DEVCAP2, PCIE_DEVCAP2_ATOMIC_ROUTING },
	{ "atomics_32", DEVCAP2, PCIE_DEVCAP2_ATOMIC_32 },
	{ "atomics_64", DEVCAP2, PCIE_DEVCAP2_ATOMIC_64 },
	{ "atomics_request", DEVCTL2, PCIE_DEVCTL2_ATOMIC_REQUEST },
	{ "acs", ACS_CTL, 0 },
};

static void add_registers(struct collect *c, struct row *row, const struct hop *hop)
{
	const char *question = arena_format(&c->arena, "pcie %s", hop->address);
	struct span text = { NULL, 0 };
	int failure = c->hardware ? DOOR_UNASKED : root_ask(c->root, question, &text);
	struct registers r = parse_registers(text);
	char topic[64];

	if (r.known[DEVCTL2] && r.value[DEVCTL2] & PCIE_DEVCTL2_ATOMIC_BLOCK)
		r.value[DEVCAP2] &= ~(uint64_t)PCIE_DEVCAP2_ATOMIC_ROUTING;
	for (size_t i = 0; i < COUNT(bits); i++) {
		uint64_t value = r.value[bits[i].source];

		snprintf(topic, sizeof(topic), "pcie.%s", bits[i].column);
		if (r.known[bits[i].source])
			row_u64(row, bits[i].column,
				bits[i].bit ? (value & bits[i].bit) != 0 : value);
		else if (failure < 0)
			facts_gap(c->facts, topic, hop->address, failure, question);
		else
			facts_gap_said(c->facts, topic, hop->address, "absent", "no such register",
				       question);
	}
}

/* ---- the way ---- */

/*
 * ".../pci0000:00/0000:00:01.1/0000:01:00.0/0000:02:00.0/0000:03:00.0": the GPU comes first.
 * HOPS_MAX + 1: there are more.
 */
static size_t find_hops(struct collect *c, struct span path, struct hop *ret)
{
	struct pci_address at;
	struct span part;
	size_t count = 0;

	while (span_cut(&path, '/', &part)) {
		if (!pci_address_parse(part, &at))
			continue;
		if (count == HOPS_MAX)
			return HOPS_MAX + 1;
		memmove(ret + 1, ret, count++ * sizeof(*ret));
		ret[0].address = arena_text(&c->arena, part);
		ret[0].dir = arena_format(&c->arena, "/sys/bus/pci/devices/%s", ret[0].address);
	}
	return count;
}

/*
 * A Radeon card brings a switch of its own (1002:1478 above 1002:1479), so that
 * the GPU's own link always shows 16 lanes. What the slot gives is the link of
 * the last function upwards that is still of the card's vendor. -errno if a
 * vendor on the way cannot be read.
 */
static int find_slot(struct collect *c, const struct hop *hops, size_t count)
{
	struct span vendor;
	int slot = 0;

	for (size_t i = 0; i < count; i++) {
		int r = root_read(c->root, arena_format(&c->arena, "%s/vendor", hops[i].dir),
				  &vendor);

		if (r < 0)
			return r;
		if (!span_is(span_trim(vendor), "0x1002"))
			break;
		slot = (int)i;
	}
	return slot;
}

static void add_way(struct collect *c, const struct collect_gpu *g)
{
	struct hop hops[HOPS_MAX];
	const char *real;
	size_t count;
	int slot;
	int r = root_real(c->root, g->dir, &real);

	if (r < 0) {
		facts_gap(c->facts, "pcie", g->address, r, g->dir);
		return;
	}
	count = find_hops(c, span_of(real), hops);
	if (count > HOPS_MAX) {
		facts_gap(c->facts, "pcie", g->address, -EFBIG, real);
		return;
	}
	slot = find_slot(c, hops, count);
	if (slot < 0)
		facts_gap(c->facts, "pcie.slot", g->address, slot, real);
	for (int i = 0; i < (int)count; i++) {
		struct row row = row_of("pcie");

		if (c->hardware && i != slot)
			continue; /* what the slot gives is what a node class states */
		row_string(&row, "gpu", g->address);
		row_int(&row, "hop", i);
		row_string(&row, "address", hops[i].address);
		row_string(&row, "source", hops[i].dir);
		if (slot >= 0)
			row_int(&row, "slot", i == slot);
		collect_files(c, &row, hops[i].address, hops[i].dir, ids, COUNT(ids));
		add_links(c, &row, &hops[i]);
		add_registers(c, &row, &hops[i]);
		facts_add(c->facts, &row);
	}
}

void collect_pcie(struct collect *c)
{
	for (size_t i = 0; i < c->gpu_count; i++)
		add_way(c, &c->gpus[i]);
}
