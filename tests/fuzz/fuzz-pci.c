#include "parse/pci.h"

#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span input = { (const char *)data, size };
	struct pci_address address, again;
	struct pci_resource resource;
	char text[PCI_ADDRESS_MAX];
	struct span rest = input;
	uint32_t tenths;

	if (pci_address_parse(input, &address)) {
		pci_address_write(&address, text);
		must(pci_address_parse(span_of(text), &again));
		must(pci_address_compare(&address, &again) == 0);
	}
	if (pci_address_find_last(input, &address))
		must(address.device < 32 && address.function < 8);
	if (pci_link_speed(input, &tenths))
		must(tenths > 0 && tenths < 100000);
	while (pci_resource_next(&rest, &resource))
		must(resource.size == 0 || resource.start + (resource.size - 1) == resource.end);
	return 0;
}
