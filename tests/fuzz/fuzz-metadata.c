#include "parse/metadata.h"

#include <string.h>

#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span input = { (const char *)data, size };
	struct span rest = input, name, value;

	while (metadata_next(&rest, &name, &value)) {
		must(name.len > 0 && !memchr(name.data, ':', name.len));
		must_lie_in(name, input);
		must_lie_in(value, input);
		must(!memchr(value.len ? value.data : "", '\n', value.len));
	}
	must(rest.len == 0);
	rest = input;
	while (metadata_egg_requirement(&rest, &value)) {
		must(value.len > 0 && value.data[0] != '[' && value.data[0] != '#');
		must_lie_in(value, input);
	}
	must(rest.len == 0);
	return 0;
}
