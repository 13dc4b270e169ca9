#include "parse/assign.h"

#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_all(enum assign_dialect dialect, struct span input)
{
	struct assign_reader reader = assign_start(dialect, input);
	struct assign a;
	size_t count = 0;

	while (assign_next(&reader, &a)) {
		must(a.name.len > 0 && a.dialect == dialect);
		must_lie_in(a.name, input);
		must_lie_in(a.value, input);
		must(a.has_value || a.value.len == 0);
		must(!(a.exported && a.one_shot));
		must(++count <= input.len);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span input = { (const char *)data, size };

	for (int dialect = ASSIGN_SH; dialect <= ASSIGN_DOCKER; dialect++)
		read_all((enum assign_dialect)dialect, input);
	return 0;
}
