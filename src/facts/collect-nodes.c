#include "facts/collect.h"

#include <stdio.h>
#include <string.h>

#include "door/standing.h"
#include "parse/acl.h"
#include "parse/pci.h"

#define DRI        "/dev/dri"
#define RENDER     "renderD"
#define NODES_MAX  1024
#define VENDOR_AMD 0x1002

struct nodes {
	struct collect *c;
	struct root_names listed; /* what is in /dev/dri */
	bool is_listed;
	unsigned int seen[NODES_MAX]; /* minors that have their row */
	size_t seen_count;
};

/* Whether the card node of a render node's GPU is in /dev/dri, too. */
enum card_node {
	CARD_UNKNOWN,
	CARD_ABSENT,
	CARD_PRESENT,
};

/* ---- columns ---- */

/* Errors that came from the device, not from the way of asking. */
static bool is_answer(int error)
{
	return error != DOOR_STUCK && error != DOOR_ASLEEP && error != DOOR_SKIPPED &&
	       error != DOOR_UNASKED && error != DOOR_LATE;
}

/*
 * Unpacked trees often have no /dev at all; that says nothing about the devices
 * of the machine they came from.
 */
static bool has_dev(struct collect *c)
{
	struct door_node node;

	return root_stat(c->root, "/dev", &node) != -ENOENT;
}

/* False if it could not be asked. */
static bool row_open(struct collect *c, struct row *row, const char *path)
{
	char question[256];
	struct span text;
	int r;

	snprintf(question, sizeof(question), "open %s", path);
	r = root_ask(c->root, question, &text);
	if (!is_answer(r)) {
		facts_gap(c->facts, "device_node.open_result", path, r, question);
		return false;
	}
	row_string(row, "open_result", r == 0 ? "opened" : standing_error_name(r));
	return true;
}

static void row_acl(struct collect *c, struct row *row, const char *path)
{
	struct buf named BUF_SCOPED = { 0 };
	struct acl_entry entry;
	char question[256];
	struct span text;
	int r;

	snprintf(question, sizeof(question), "acl %s", path);
	r = root_ask(c->root, question, &text);
	if (r < 0) {
		facts_gap(c->facts, "device_node.acl", path, r, question);
		return;
	}
	while (acl_text_next(&text, &entry))
		if (entry.tag == ACL_TAG_USER || entry.tag == ACL_TAG_GROUP)
			acl_text_write(&named, &entry);
	for (size_t i = 0; i < named.len; i++)
		if (named.data[i] == '\n')
			named.data[i] = ' ';
	if (named.len > 0)
		row_text(row, "acl", arena_span(&c->arena, span_trim(buf_get(&named))));
}

static void row_node(struct collect *c, struct row *row, const char *path,
		     const struct door_node *node)
{
	bool in_group = false;

	row_text(row, "kind", arena_span(&c->arena, (struct span){ &node->kind, 1 }));
	if (node->kind == 'c' || node->kind == 'b') {
		row_int(row, "major", node->major);
		row_int(row, "minor", node->minor);
	}
	row_string(row, "mode", arena_format(&c->arena, "%04o", node->mode));
	row_int(row, "uid", node->uid);
	row_int(row, "gid", node->gid);
	for (size_t i = 0; i < c->group_count; i++)
		in_group |= c->groups[i] == node->gid;
	if (c->identity_known)
		row_int(row, "in_group", in_group);
	else
		facts_gap(c->facts, "device_node.in_group", path, DOOR_UNASKED, "identity");
	row_acl(c, row, path);
}

/*
 * A node that is not there has a row all the same: it is the container without
 * --device, or the driver that did not come up.
 */
static void add_node(struct collect *c, const char *path, const char *address, enum card_node card)
{
	struct row row = row_of("device_node");
	struct door_node node;
	int r = root_stat(c->root, path, &node);

	if (r == -ENOENT && !has_dev(c)) {
		facts_gap(c->facts, "device_node", path, DOOR_UNASKED, "/dev");
		return;
	}
	row_string(&row, "path", path);
	row_string(&row, "address", address);
	row_string(&row, "source", path);
	if (card != CARD_UNKNOWN)
		row_int(&row, "card", card == CARD_PRESENT);
	if (r == 0)
		row_node(c, &row, path, &node);
	if (r == -ENOENT)
		row_string(&row, "open_result", "ENOENT");
	else if (!row_open(c, &row, path) && !is_answer(r)) {
		facts_gap(c->facts, "device_node", path, r, path);
		return;
	}
	if (r < 0 && r != -ENOENT)
		facts_gap(c->facts, "device_node.kind", path, r, path);
	facts_add(c->facts, &row);
}

/* ---- render nodes ---- */

static bool render_minor(const char *name, unsigned int *ret)
{
	uint64_t minor;

	if (strncmp(name, RENDER, strlen(RENDER)) != 0 ||
	    !span_u64(span_of(name + strlen(RENDER)), &minor) || minor > 1048575)
		return false;
	*ret = (unsigned int)minor;
	return true;
}

/*
 * A partition's render node hangs on a platform device (amdgpu_xcp), with no
 * PCI function in its path: KFD is asked first.
 */
static const char *address_of(struct collect *c, unsigned int minor)
{
	struct pci_address address;
	char text[PCI_ADDRESS_MAX];
	const char *real;

	for (size_t i = 0; i < c->agent_count; i++)
		if (c->agents[i].render_minor == minor && c->agents[i].address)
			return c->agents[i].address;
	if (root_real(c->root, arena_format(&c->arena, "/sys/class/drm/" RENDER "%u/device", minor),
		      &real) < 0 ||
	    !pci_address_find_last(span_of(real), &address))
		return NULL;
	pci_address_write(&address, text);
	return arena_text(&c->arena, span_of(text));
}

/* ROCm does not open other makers' nodes, so neither do we. */
static bool is_foreign(struct collect *c, const char *address)
{
	uint64_t vendor;
	struct span text;

	return address && !collect_find_gpu(c, address) &&
	       root_read(c->root,
			 arena_format(&c->arena, "/sys/bus/pci/devices/%s/vendor", address),
			 &text) == 0 &&
	       span_hex(span_trim(text), &vendor) && vendor != VENDOR_AMD;
}

/* A partition's nodes hang on a device of their own, whose card is not known here. */
static enum card_node find_card(const struct nodes *n, unsigned int minor)
{
	const char *name = arena_format(&n->c->arena, RENDER "%u", minor), *card = NULL;

	for (size_t i = 0; i < n->c->gpu_count; i++)
		if (n->c->gpus[i].render && strcmp(n->c->gpus[i].render, name) == 0)
			card = n->c->gpus[i].card;
	if (!card || !n->is_listed)
		return CARD_UNKNOWN;
	for (size_t i = 0; i < n->listed.count; i++)
		if (strcmp(n->listed.names[i], card) == 0)
			return CARD_PRESENT;
	return CARD_ABSENT;
}

static void add_render(struct nodes *n, unsigned int minor)
{
	const char *path = arena_format(&n->c->arena, DRI "/" RENDER "%u", minor), *address;

	for (size_t i = 0; i < n->seen_count; i++)
		if (n->seen[i] == minor)
			return;
	if (n->seen_count == NODES_MAX) {
		facts_gap_said(n->c->facts, "device_node", path, "unasked", "too many nodes", DRI);
		return;
	}
	n->seen[n->seen_count++] = minor;
	address = address_of(n->c, minor);
	if (!is_foreign(n->c, address))
		add_node(n->c, path, address, find_card(n, minor));
}

static void add_listed(struct nodes *n)
{
	unsigned int minor;
	int r = root_list(n->c->root, DRI, &n->listed);

	if (r < 0) {
		if (r != -ENOENT || !has_dev(n->c))
			facts_gap(n->c->facts, "device_node", DRI, r == -ENOENT ? DOOR_UNASKED : r,
				  DRI);
		return;
	}
	n->is_listed = true;
	for (size_t i = 0; i < n->listed.count; i++)
		if (render_minor(n->listed.names[i], &minor))
			add_render(n, minor);
}

/* The nodes that the driver has made, even if they are missing in /dev. */
static void add_expected(struct nodes *n)
{
	struct collect *c = n->c;
	unsigned int minor;

	for (size_t i = 0; i < c->agent_count; i++)
		if (c->agents[i].render_minor > 0)
			add_render(n, c->agents[i].render_minor);
	for (size_t i = 0; i < c->gpu_count; i++)
		if (c->gpus[i].render && render_minor(c->gpus[i].render, &minor))
			add_render(n, minor);
}

void collect_nodes(struct collect *c)
{
	struct nodes n = { .c = c };
	struct door_node dxg;
	int r;

	add_node(c, "/dev/kfd", NULL, CARD_UNKNOWN);
	add_listed(&n);
	add_expected(&n);
	/* The way to the GPU under WSL; nobody misses it elsewhere. */
	r = root_stat(c->root, "/dev/dxg", &dxg);
	if (r == 0)
		add_node(c, "/dev/dxg", NULL, CARD_UNKNOWN);
	else if (r != -ENOENT && r != -ENOTDIR && r != DOOR_UNASKED)
		facts_gap(c->facts, "device_node", "/dev/dxg", r, "/dev/dxg");
}
