#include "parse/lines.h"

#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span input = { (const char *)data, size };
	struct lines lines = { .rest = input };
	struct span line;
	unsigned int number, before = 0;

	while (lines_next(&lines, &line, &number)) {
		must_lie_in(line, input);
		must(number > before && number <= lines.count);
		before = number;
	}
	must(lines.rest.len == 0 && lines.count <= size);
	return 0;
}
