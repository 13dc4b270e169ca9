#include "parse/pci.h"

#include <stdio.h>
#include <string.h>

/* Hexadecimal without 0x, of a given number of digits. */
static bool read_digits(struct span s, size_t least, size_t most, uint64_t *ret)
{
	return s.len >= least && s.len <= most && !span_starts(s, "0x") && !span_starts(s, "0X") &&
	       span_hex(s, ret);
}

bool pci_address_parse(struct span text, struct pci_address *ret)
{
	struct span domain, bus, device;
	uint64_t d, b, s, f;

	if (!span_cut(&text, ':', &domain) || !span_cut(&text, ':', &bus) ||
	    !span_cut(&text, '.', &device))
		return false;
	if (!read_digits(domain, 4, 8, &d) || !read_digits(bus, 2, 2, &b) ||
	    !read_digits(device, 2, 2, &s) || !read_digits(text, 1, 1, &f) || s > 31 || f > 7)
		return false;
	*ret = (struct pci_address){ (uint32_t)d, (uint8_t)b, (uint8_t)s, (uint8_t)f };
	return true;
}

void pci_address_write(const struct pci_address *address, char ret[static PCI_ADDRESS_MAX])
{
	snprintf(ret, PCI_ADDRESS_MAX, "%04x:%02x:%02x.%x", address->domain, address->bus,
		 address->device & 31u, address->function & 7u);
}

static uint64_t order_of(const struct pci_address *a)
{
	return (uint64_t)a->domain << 32 | (uint64_t)a->bus << 16 | (uint64_t)a->device << 8 |
	       a->function;
}

int pci_address_compare(const struct pci_address *a, const struct pci_address *b)
{
	uint64_t x = order_of(a), y = order_of(b);

	return (x > y) - (x < y);
}

bool pci_address_from_location(uint64_t domain, uint64_t location_id, struct pci_address *ret)
{
	if (domain > UINT32_MAX || location_id > UINT32_MAX || (location_id & 0x0fff0000) != 0)
		return false;
	*ret = (struct pci_address){
		.domain = (uint32_t)domain,
		.bus = (uint8_t)(location_id >> 8 & 0xff),
		.device = (uint8_t)(location_id >> 3 & 0x1f),
		.function = (uint8_t)(location_id & 7),
	};
	return true;
}

bool pci_address_find_last(struct span path, struct pci_address *ret)
{
	struct span part;
	bool found = false;

	while (span_cut(&path, '/', &part))
		found |= pci_address_parse(part, ret);
	return found;
}

bool pci_address_find_word(struct span text, struct pci_address *ret)
{
	struct span word;

	while (span_word(&text, &word)) {
		while (word.len > 0 && strchr(":,;)]", word.data[word.len - 1]))
			word.len--;
		while (word.len > 0 && strchr("([", word.data[0])) {
			word.data++;
			word.len--;
		}
		if (word.len >= 12 && pci_address_parse(word, ret))
			return true;
	}
	return false;
}

bool pci_link_speed(struct span text, uint32_t *ret_tenths)
{
	struct span number, unit, whole;
	uint64_t units, tenths = 0;

	if (!span_word(&text, &number) || !span_word(&text, &unit) || !span_is(unit, "GT/s"))
		return false;
	/* "16.0", or "8" from older kernels. */
	if (!span_cut(&number, '.', &whole) || !span_u64(whole, &units) || units > 1000)
		return false;
	if (number.len > 0 && (number.len != 1 || !span_u64(number, &tenths)))
		return false;
	tenths += units * 10;
	if (tenths == 0)
		return false;
	*ret_tenths = (uint32_t)tenths;
	return true;
}

bool pci_resource_next(struct span *rest, struct pci_resource *ret)
{
	struct pci_resource r;
	struct span line, start, end, flags;

	if (!span_line(rest, &line) || !span_word(&line, &start) || !span_word(&line, &end) ||
	    !span_word(&line, &flags) || !span_hex(start, &r.start) || !span_hex(end, &r.end) ||
	    !span_hex(flags, &r.flags))
		return false;
	r.size = r.end > r.start ? r.end - r.start + 1 : 0;
	*ret = r;
	return true;
}

bool pci_resource_find(struct span text, unsigned int bar, struct pci_resource *ret)
{
	struct pci_resource r;

	for (unsigned int i = 0; pci_resource_next(&text, &r); i++) {
		if (i != bar)
			continue;
		*ret = r;
		return true;
	}
	return false;
}
