#include "parse/quote.h"

#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span input = { (const char *)data, size };
	struct span value = input;
	char quote = quote_strip(&value);

	must_lie_in(value, input);
	must(value.len + (quote ? 2 : 0) == input.len);
	return 0;
}
