#include "parse/maps.h"

#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span input = { (const char *)data, size };
	struct span rest = input, path;
	struct maps_code code;

	while (maps_next_file(&rest, &path)) {
		must(path.len > 0 && path.data[0] == '/');
		must_lie_in(path, input);
		if (maps_is_library(path, "amdhip64"))
			must(path.len >= sizeof("libamdhip64.so") - 1);
	}
	must(rest.len == 0);
	rest = input;
	while (maps_next_code(&rest, &code)) {
		must(code.start < code.end);
		must_lie_in(code.path, input);
	}
	must(rest.len == 0);
	return 0;
}
