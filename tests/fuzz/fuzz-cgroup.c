#include "parse/cgroup.h"

#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span input = { (const char *)data, size };
	struct span rest = input;
	struct cgroup_line line;

	while (cgroup_next(&rest, &line)) {
		must_lie_in(line.controllers, input);
		must_lie_in(line.path, input);
		must(line.path.len > 0);
		must(!line.unified || !cgroup_has_controller(&line, "memory"));
	}
	if (cgroup_find(input, "memory", &line))
		must(line.unified || cgroup_has_controller(&line, "memory"));
	return 0;
}
