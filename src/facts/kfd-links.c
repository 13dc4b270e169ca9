#include "facts/kfd-links.h"

#include "facts/kfd-keys.h"

enum { TYPE, FROM, TO, WEIGHT, MIN_BANDWIDTH, MAX_BANDWIDTH, FLAGS };

static const struct kfd_key keys[] = {
	[TYPE] = { "type", NULL, KFD_NUMBER },
	[FROM] = { "node_from", "node_from", KFD_NUMBER },
	[TO] = { "node_to", "node_to", KFD_NUMBER },
	[WEIGHT] = { "weight", "weight", KFD_NUMBER },
	[MIN_BANDWIDTH] = { "min_bandwidth", "min_bandwidth", KFD_NUMBER },
	[MAX_BANDWIDTH] = { "max_bandwidth", "max_bandwidth", KFD_NUMBER },
	[FLAGS] = { "flags", NULL, KFD_NUMBER },
};

/*
 * Bits of `flags` that take something away, from the kernel's
 * uapi/linux/kfd_sysfs.h. Bit 0, enabled, is always set and bit 4, no peer DMA,
 * never: linux 6.1 to 7.2, kfd_topology.c.
 */
static const struct {
	const char *column;
	uint32_t lacking;
} flags[] = {
	{ "coherent", 1u << 1 },
	{ "atomics_32", 1u << 2 },
	{ "atomics_64", 1u << 3 },
};

static const char *kind_of(struct collect *c, uint64_t type)
{
	switch (type) {
	case 2:
		return "pcie";
	case 11:
		return "xgmi";
	default:
		return arena_format(&c->arena, "%u", (unsigned int)type);
	}
}

static void add_link(struct collect *c, const char *subject, const char *path, bool peer)
{
	struct kfd_keys k = KFD_KEYS(keys, path);
	struct row r = row_of("agent_link");
	struct span text;

	if (!collect_read(c, "agent_link", subject, &text, "%s", path) || !c->facts)
		return; /* the recording child has nothing more to ask, and there may be thousands */
	kfd_keys_read(&k, text);
	if (!kfd_keys_know(&k, TYPE) || !kfd_keys_know(&k, FROM) || !kfd_keys_know(&k, TO)) {
		facts_gap_said(c->facts, "agent_link", subject, "broken",
			       "no type, node_from or node_to", path);
		return;
	}
	kfd_keys_columns(c, &r, subject, &k);
	row_string(&r, "kind", kind_of(c, k.value[TYPE]));
	row_int(&r, "peer", peer);
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		if (kfd_keys_know(&k, FLAGS))
			row_int(&r, flags[i].column, !(k.value[FLAGS] & flags[i].lacking));
		else
			kfd_keys_gap(c, r.table, flags[i].column, subject, &k, FLAGS);
	row_string(&r, "source", path);
	facts_add(c->facts, &r);
}

void kfd_links_collect(struct collect *c, const char *subject, const char *dir, bool peer)
{
	struct root_names names;
	int r = root_list(c->root, dir, &names);

	if (r < 0) {
		facts_gap(c->facts, "agent_link", subject, r, dir);
		return;
	}
	for (size_t i = 0; i < names.count; i++)
		add_link(c, subject,
			 arena_format(&c->arena, "%s/%s/properties", dir, names.names[i]), peer);
}
