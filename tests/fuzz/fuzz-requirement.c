#include "parse/requirement.h"

#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct requirement_host host = { span_of("3.11"), span_of("x86_64") };
	struct span input = { (const char *)data, size };
	struct requirement r;

	if (!requirement_parse(input, &r))
		return 0;
	must(r.name.len > 0);
	must(r.url.len == 0 || r.demands.len == 0);
	must_lie_in(r.name, input);
	must_lie_in(r.extras, input);
	must_lie_in(r.demands, input);
	must_lie_in(r.url, input);
	must_lie_in(r.marker, input);
	must(r.marker.len > 0 || requirement_applies(&r, &host) == PEP440_YES);
	(void)requirement_applies(&r, &host);
	return 0;
}
