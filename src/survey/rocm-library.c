#include "survey/rocm-library.h"

#include <strings.h>

#include "base/names.h"

extern const char data_libraries[];

/* Windows takes a name in any case: "MIOpen.dll" stands in the list as miopen.dll. */
static bool is_dll_of_rocm(struct span name)
{
	char lower[64];
	size_t n = 0;

	if (name.len >= sizeof(lower))
		return false;
	for (; n < name.len; n++)
		lower[n] = (char)(name.data[n] >= 'A' && name.data[n] <= 'Z' ? name.data[n] + 32
									     : name.data[n]);
	return names_has_as(data_libraries, (struct span){ lower, n }, "rocm");
}

bool rocm_library(struct span name)
{
	if (name.len > 4 && strncasecmp(name.data + name.len - 4, ".dll", 4) == 0)
		return is_dll_of_rocm(name);
	return span_find(name, SPAN_LITERAL(".so")) != SIZE_MAX &&
	       names_has_as(data_libraries, name, "rocm");
}
