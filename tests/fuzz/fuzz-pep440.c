#include "parse/pep440.h"

#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Three versions a line apart: an order must be one, and demands must agree with it. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span input = { (const char *)data, size };
	struct span rest = input, text[3] = { { "", 0 }, { "", 0 }, { "", 0 } };
	struct pep440 v[3];
	char demand[128];
	size_t n = 0;

	for (size_t i = 0; i < 3 && span_line(&rest, &text[i]); i++)
		n += pep440_parse(text[i], &v[n]);
	for (size_t i = 0; i < n; i++) {
		must(v[i].release_count > 0 && v[i].release_count <= PEP440_RELEASE_MAX);
		must_lie_in(v[i].local, input);
		must(pep440_compare(&v[i], &v[i], true) == 0);
		for (size_t k = 0; k < n; k++)
			must((pep440_compare(&v[i], &v[k], true) < 0) ==
			     (pep440_compare(&v[k], &v[i], true) > 0));
	}
	if (n == 3 && pep440_compare(&v[0], &v[1], true) <= 0 &&
	    pep440_compare(&v[1], &v[2], true) <= 0)
		must(pep440_compare(&v[0], &v[2], true) <= 0);
	if (n > 0 && text[0].len < 100 && pep440_parse(text[0], &v[0])) {
		demand[0] = demand[1] = '=';
		for (size_t i = 0; i < text[0].len; i++)
			demand[2 + i] = text[0].data[i];
		must(pep440_meets(text[0], (struct span){ demand, 2 + text[0].len }) ==
			     PEP440_YES ||
		     span_find(text[0], SPAN_LITERAL(",")) != SIZE_MAX);
		demand[0] = '!';
		must(pep440_meets(text[0], (struct span){ demand, 2 + text[0].len }) != PEP440_YES);
	}
	(void)pep440_meets(text[0], text[1]);
	return 0;
}
