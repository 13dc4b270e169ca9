#include "parse/rank.h"

#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span line = { (const char *)data, size }, rest;
	long rank;

	if (!rank_parse(line, &rank, &rest))
		return 0;
	must(rank >= 0 && rank <= RANK_MAX);
	must_lie_in(rest, line);
	return 0;
}
