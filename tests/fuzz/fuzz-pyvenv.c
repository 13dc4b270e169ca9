#include "parse/pyvenv.h"

#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span input = { (const char *)data, size };
	struct pyvenv v;

	if (!pyvenv_parse(input, &v))
		return 0;
	must(v.home.len > 0);
	must_lie_in(v.home, input);
	must_lie_in(v.version, input);
	must_lie_in(v.uv, input);
	for (size_t i = 0; i < v.version.len; i++)
		must((v.version.data[i] >= '0' && v.version.data[i] <= '9') ||
		     v.version.data[i] == '.');
	return 0;
}
