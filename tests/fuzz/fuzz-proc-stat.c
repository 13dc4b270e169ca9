#include "parse/proc-stat.h"

#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span input = { (const char *)data, size };
	struct proc_stat stat;

	if (!proc_stat_parse(input, &stat))
		return 0;
	must_lie_in(stat.name, input);
	must(stat.name.data > input.data && stat.name.data[-1] == '(');
	must(stat.name.data[stat.name.len] == ')');
	must(stat.state != ' ' && stat.state != '\n');
	return 0;
}
