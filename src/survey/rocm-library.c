#include "survey/rocm-library.h"

#include "base/names.h"

extern const char data_libraries[];

bool rocm_library(struct span name)
{
	return span_find(name, SPAN_LITERAL(".so")) != SIZE_MAX &&
	       names_has_as(data_libraries, name, "rocm");
}
