#include "parse/ras.h"

#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span input = { (const char *)data, size };
	struct span rest = input;
	struct ras_counts counts;
	struct ras_bad_page page;

	if (ras_counts_parse(input, &counts))
		must(counts.has_deferred || counts.deferred == 0);
	while (ras_bad_page_next(&rest, &page))
		must(page.flag == 'R' || page.flag == 'P' || page.flag == 'F');
	must(rest.len == 0);
	return 0;
}
