#include "parse/rdma.h"

#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span all = { (const char *)data, size }, state;
	struct rdma_rate rate;

	if (rdma_state_parse(all, &state)) {
		must_lie_in(state, all);
		must(state.len > 0);
	}
	if (rdma_rate_parse(all, &rate))
		must(rate.tenths <= 1000009);
	return 0;
}
