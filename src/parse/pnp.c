#include "parse/pnp.h"

#include <string.h>
#include <strings.h>

static bool starts_with(struct span s, const char *prefix)
{
	size_t n = strlen(prefix);

	return s.len >= n && strncasecmp(s.data, prefix, n) == 0;
}

/* "VEN_1002" with "VEN_" and four digits gives 0x1002. */
static bool part_number(struct span part, const char *prefix, size_t digits, uint64_t *ret)
{
	size_t n = strlen(prefix);

	return starts_with(part, prefix) && part.len == n + digits &&
	       span_hex((struct span){ part.data + n, digits }, ret);
}

bool pnp_id_parse(struct span text, struct pnp_id *ret)
{
	struct pnp_id id = { 0 };
	bool vendor = false, device = false;
	struct span part;
	uint64_t number;

	if (starts_with(text, "PCI\\"))
		text = (struct span){ text.data + 4, text.len - 4 };
	while (span_cut(&text, '&', &part)) {
		if (part_number(part, "VEN_", 4, &number)) {
			id.vendor = (uint16_t)number;
			vendor = true;
		} else if (part_number(part, "DEV_", 4, &number)) {
			id.device = (uint16_t)number;
			device = true;
		} else if (part_number(part, "SUBSYS_", 8, &number)) {
			id.subsystem_device = (uint16_t)(number >> 16);
			id.subsystem_vendor = (uint16_t)number;
			id.has_subsystem = true;
		} else if (part_number(part, "REV_", 2, &number)) {
			id.revision = (uint8_t)number;
			id.has_revision = true;
		}
	}
	*ret = id;
	return vendor && device;
}

/* The next run of digits, or false: none is left. */
static bool next_number(struct span *rest, uint64_t *ret)
{
	size_t n = 0;

	while (rest->len > 0 && (rest->data[0] < '0' || rest->data[0] > '9'))
		*rest = (struct span){ rest->data + 1, rest->len - 1 };
	while (n < rest->len && rest->data[n] >= '0' && rest->data[n] <= '9')
		n++;
	if (n == 0 || !span_u64((struct span){ rest->data, n }, ret))
		return false;
	*rest = (struct span){ rest->data + n, rest->len - n };
	return true;
}

bool pnp_location_parse(struct span text, struct pci_address *ret)
{
	size_t open = span_find(text, SPAN_LITERAL(";("));
	uint64_t bus, device, function, none;

	if (open != SIZE_MAX)
		text = (struct span){ text.data + open, text.len - open };
	else if (!starts_with(text, "PCI"))
		return false;
	if (!next_number(&text, &bus) || !next_number(&text, &device) ||
	    !next_number(&text, &function) || next_number(&text, &none))
		return false;
	if (bus > 0xffffff || device > 31 || function > 7)
		return false;
	*ret = (struct pci_address){ (uint32_t)(bus >> 8), (uint8_t)bus, (uint8_t)device,
				     (uint8_t)function };
	return true;
}

bool pnp_class_parse(struct span lines, uint32_t *ret)
{
	struct span line, part;
	uint64_t number;

	while (span_line(&lines, &line))
		while (span_cut(&line, '&', &part))
			if (part_number(part, "CC_", 6, &number)) {
				*ret = (uint32_t)number;
				return true;
			}
	return false;
}
