#include "parse/expect.h"

#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A name means that the line was understood, and then the number is one that can be. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span all = { (const char *)data, size }, rest = all;
	const char *why;
	struct expect e;

	while (expect_next(&rest, &e)) {
		must_lie_in(e.line, all);
		must(e.line.len > 0 && e.line.data[0] != '#');
		if (e.name.len == 0)
			continue;
		must_lie_in(e.name, e.line);
		must_lie_in(e.text, e.line);
		must(e.text.len > 0);
		must(e.tenths <= 10 * (uint64_t)EXPECT_MAX + 9);
	}
	if (!expect_check(all, &e.line, &why))
		must_lie_in(e.line, all);
	return 0;
}
