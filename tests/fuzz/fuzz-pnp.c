#include "parse/pnp.h"

#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span input = { (const char *)data, size };
	struct pci_address address;
	struct pnp_id id;
	uint32_t class;

	if (pnp_id_parse(input, &id))
		must(id.has_subsystem || (id.subsystem_vendor == 0 && id.subsystem_device == 0));
	if (pnp_location_parse(input, &address))
		must(address.device < 32 && address.function < 8);
	if (pnp_class_parse(input, &class))
		must(class <= 0xffffff);
	return 0;
}
