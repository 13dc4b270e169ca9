#include "parse/pcie.h"

#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span input = { (const char *)data, size };
	struct pcie_registers r;

	if (!pcie_registers_parse(input, &r))
		return 0;
	must(size >= 64);
	must(!r.has_devcap2 || (r.has_pcie && r.version >= 2));
	must(size > 256 || (!r.has_acs && !r.has_resizable_bar && !r.extended_reached));
	return 0;
}
