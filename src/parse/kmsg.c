#include "parse/kmsg.h"

#include <errno.h>

#define PRIO_MAX 2047 /* the kernel keeps 8 bits of facility and 3 of level */

static struct span skip(struct span s, size_t n)
{
	return (struct span){ s.data + n, s.len - n };
}

static bool is_hex(struct span s, size_t min, size_t max)
{
	uint64_t value;

	return s.len >= min && s.len <= max && !span_starts(s, "0x") && span_hex(s, &value);
}

struct span kmsg_pci_address(struct span device)
{
	struct span rest, domain, bus, slot, address;

	if (!span_starts(device, "+pci:"))
		return (struct span){ 0 };
	address = rest = skip(device, 5);
	if (!span_cut(&rest, ':', &domain) || !span_cut(&rest, ':', &bus) ||
	    !span_cut(&rest, '.', &slot))
		return (struct span){ 0 };
	if (!is_hex(domain, 4, 8) || !is_hex(bus, 2, 2) || !is_hex(slot, 2, 2) ||
	    !is_hex(rest, 1, 1))
		return (struct span){ 0 };
	return address;
}

/* "3,1042,123456789,-,caller=T87": later kernels may append further fields. */
static bool read_head(struct span head, struct kmsg *ret)
{
	struct span prio, seq, usec, flags, field;
	uint64_t value;

	if (!span_cut(&head, ',', &prio) || !span_cut(&head, ',', &seq) ||
	    !span_cut(&head, ',', &usec) || !span_cut(&head, ',', &flags))
		return false;
	if (!span_u64(prio, &value) || value > PRIO_MAX || !span_u64(seq, &ret->seq) ||
	    !span_u64(usec, &ret->since_boot_us))
		return false;
	ret->level = (unsigned int)(value & 7);
	ret->facility = (unsigned int)(value >> 3);
	while (span_cut(&head, ',', &field)) {
		if (span_starts(field, "caller="))
			ret->caller = skip(field, 7);
	}
	return true;
}

static void read_key(struct span line, struct kmsg *ret)
{
	if (span_starts(line, " SUBSYSTEM="))
		ret->subsystem = skip(line, 11);
	if (span_starts(line, " DEVICE="))
		ret->device = skip(line, 8);
}

int kmsg_parse(struct span record, struct kmsg *ret)
{
	struct kmsg kmsg = { 0 };
	struct span head, line;

	if (!span_cut(&record, ';', &head) || head.data + head.len == record.data)
		return -EBADMSG;
	if (!read_head(head, &kmsg))
		return -EBADMSG;
	kmsg.text = (struct span){ record.data, 0 };
	(void)span_line(&record, &kmsg.text); /* an empty text is a record too */
	while (span_line(&record, &line))
		read_key(line, &kmsg);
	kmsg.pci_address = kmsg_pci_address(kmsg.device);
	*ret = kmsg;
	return 0;
}
